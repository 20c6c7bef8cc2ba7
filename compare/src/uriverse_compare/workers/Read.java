// Read strings with java.net.URI or java.net.URL; _programs.py describes the input and the output.
// The argument is "URI" or "URL". It needs Java 17.
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

class Read {
  interface Parser {
    String fields(String text) throws URISyntaxException, MalformedURLException;
  }

  static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  static String field(String name, String value) {
    return value == null ? "" : " " + name + "=" + hex(value);
  }

  static String port(int number) {
    return field("port", number == -1 ? null : Integer.toString(number));
  }

  static String uri(String text) throws URISyntaxException {
    var found = new URI(text);
    return field("scheme", found.getScheme())
        + field("userinfo", found.getRawUserInfo())
        + field("host", found.getHost())
        + port(found.getPort())
        + field("path", found.isOpaque() ? found.getRawSchemeSpecificPart() : found.getRawPath())
        + field("query", found.getRawQuery())
        + field("fragment", found.getRawFragment());
  }

  // The constructor is deprecated since Java 20, but programs still use it.
  @SuppressWarnings("deprecation")
  static String url(String text) throws MalformedURLException {
    var found = new URL(text);
    return field("scheme", found.getProtocol())
        + field("userinfo", found.getUserInfo())
        + field("host", found.getHost())
        + port(found.getPort())
        + field("path", found.getPath())
        + field("query", found.getQuery())
        + field("fragment", found.getRef());
  }

  static String answer(Parser parser, String text) {
    try {
      return "+" + parser.fields(text);
    } catch (URISyntaxException | MalformedURLException rejection) {
      return "- " + hex(rejection.getMessage());
    } catch (RuntimeException error) {
      return "! " + hex(error.toString());
    }
  }

  public static void main(String[] arguments) throws IOException {
    Parser parser = arguments[0].equals("URI") ? Read::uri : Read::url;
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    var output =
        new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.US_ASCII));
    String line;
    while ((line = input.readLine()) != null) {
      var octets = HexFormat.of().parseHex(line.substring(1));
      output.write(answer(parser, new String(octets, StandardCharsets.UTF_8)));
      output.write("\n");
    }
    output.flush();
  }
}
