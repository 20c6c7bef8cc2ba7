# Answer calls with Ruby's URI; foreign.py describes the input and the output.
require "uri"

OPERATIONS = {
  "accept" => ->(text) { URI.parse(text) && "valid" },
  "host" => ->(text) { URI.parse(text).host || "" },
  "resolve" => ->(base, reference) { URI.join(base, reference).to_s },
  "normalize" => ->(text) { URI.parse(text).normalize.to_s },
  "text" => ->(text) { URI.parse(text).to_s },
}

STDIN.each_line do |line|
  name, *words = line.chomp.split(" ")
  texts = words.map { |word| [word.delete(".")].pack("H*").force_encoding("UTF-8") }
  puts "=" + OPERATIONS[name].call(*texts).unpack1("H*")
rescue URI::Error
  puts "-"
rescue StandardError => error
  puts "!" + error.inspect.unpack1("H*")
end
