// Answer calls with java.net.URI; foreign.py describes the input and the output.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

class Peer {
  static String call(String name, String[] texts) throws URISyntaxException {
    var uri = new URI(texts[0]);
    return switch (name) {
      case "accept" -> "valid";
      case "host" -> uri.getHost();
      case "resolve" -> uri.resolve(new URI(texts[1])).toString();
      case "normalize" -> uri.normalize().toString();
      default -> uri.toString();
    };
  }

  static String hex(String text) {
    var octets = (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(octets);
  }

  public static void main(String[] arguments) {
    var answers = new StringBuilder();
    for (var line : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
      var words = line.split(" ");
      var texts = new String[words.length - 1];
      for (var i = 0; i < texts.length; i++) {
        var octets = HexFormat.of().parseHex(words[i + 1].replace(".", ""));
        texts[i] = new String(octets, StandardCharsets.UTF_8);
      }
      try {
        answers.append("=" + hex(call(words[0], texts)));
      } catch (URISyntaxException refused) {
        answers.append('-');
      } catch (RuntimeException error) {
        answers.append("!" + hex(error.toString()));
      }
      answers.append('\n');
    }
    System.out.print(answers);
  }
}
