# Read strings with Ruby's URI or with Addressable; _programs.py describes the input and the output.
# The argument is "uri" or "addressable".
if ARGV[0] == "addressable"
  require "addressable/uri"
  PARSER = Addressable::URI
  REJECTIONS = [Addressable::URI::InvalidURIError].freeze
else
  require "uri"
  PARSER = URI
  REJECTIONS = [URI::Error].freeze
end

def hex(text)
  text.to_s.unpack1("H*")
end

def fields(found)
  # URIs without "//" have an opaque part in place of a path, such as "a@b" in "mailto:a@b".
  opaque = found.respond_to?(:opaque) ? found.opaque : nil
  {
    scheme: found.scheme,
    userinfo: found.userinfo,
    host: found.host,
    port: found.port,
    path: opaque || found.path,
    query: found.query,
    fragment: found.fragment,
  }.compact
end

STDIN.each_line do |line|
  text = [line.chomp[1..]].pack("H*").force_encoding("UTF-8")
  found = fields(PARSER.parse(text))
  puts "+" + found.map { |name, value| " #{name}=#{hex(value)}" }.join
rescue *REJECTIONS => error
  puts "- " + hex(error.message)
rescue StandardError => error
  puts "! " + hex(error.inspect)
end
