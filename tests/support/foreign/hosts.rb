# Print the host that Ruby's URI sees; readers.py describes its input and output.
require "uri"

STDIN.each_line do |line|
  text = [line.chomp].pack("H*").force_encoding("UTF-8")
  puts "=" + (URI.parse(text).host || "").unpack1("H*")
rescue URI::Error
  puts "-"
end
