# Request strings with Net::HTTP and URI.
require "net/http"

STDOUT.sync = true
STDIN.each_line do |line|
  begin
    uri = URI.parse([line.chomp[1..]].pack("H*").force_encoding("UTF-8"))
    Net::HTTP.get_response(uri)
  rescue StandardError
    # Every request fails, because every connection is refused.
  end
  puts
end
