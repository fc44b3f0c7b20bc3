import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A bot with nothing but the JDK: its own WebSocket client, JSON by hand. Drives in circles, fires when its gun is cold. */
public class Drifter implements WebSocket.Listener {
    private static final Pattern TYPE = Pattern.compile("\"type\"\\s*:\\s*\"(\\w+)\"");
    private static final Pattern SESSION = Pattern.compile("\"sessionId\"\\s*:\\s*\"([^\"]+)\"");
    private final StringBuilder text = new StringBuilder();
    private final CountDownLatch closed = new CountDownLatch(1);

    public static void main(String[] args) throws Exception {
        Drifter drifter = new Drifter();
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create(System.getenv("SERVER_URL")), drifter).join();
        drifter.closed.await();
    }

    @Override public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
        text.append(part);
        if (last) {
            String message = text.toString();
            text.setLength(0);
            String answer = answer(message);
            if (answer != null) socket.sendText(answer, true).join();
        }
        socket.request(1);
        return null;
    }

    @Override public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        closed.countDown();
        return null;
    }

    @Override public void onError(WebSocket socket, Throwable error) {
        System.err.println(error);
        closed.countDown();
    }

    private static String answer(String message) {
        switch (topLevelType(message)) {
            case "ServerHandshake": return handshake(message);
            case "GameStartedEventForBot": return "{\"type\":\"BotReady\"}";
            case "TickEventForBot":
                return "{\"type\":\"BotIntent\",\"targetSpeed\":5,\"turnRate\":3,\"gunTurnRate\":7,\"radarTurnRate\":45,\"firepower\":1}";
            default: return null;
        }
    }

    /** The type of the outermost object: the only one at depth 1. */
    private static String topLevelType(String message) {
        Matcher type = TYPE.matcher(message);
        while (type.find()) {
            String before = message.substring(0, type.start());
            long open = before.chars().filter(c -> c == '{' || c == '[').count();
            long shut = before.chars().filter(c -> c == '}' || c == ']').count();
            if (open - shut == 1) return type.group(1);
        }
        return "";
    }

    private static String handshake(String message) {
        Matcher session = SESSION.matcher(message);
        if (!session.find()) throw new IllegalStateException("no sessionId: " + message);
        String secret = System.getenv("SERVER_SECRET");
        return "{\"type\":\"BotHandshake\",\"sessionId\":\"" + session.group(1) + "\",\"name\":\"" + System.getenv("BOT_NAME")
            + "\",\"version\":\"" + System.getenv("BOT_VERSION") + "\",\"authors\":[\"The turnwright authors\"]"
            + (secret == null ? "" : ",\"secret\":\"" + secret + "\"") + "}";
    }
}
