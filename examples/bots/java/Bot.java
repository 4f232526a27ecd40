import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import heliopause.v1.*;
import io.grpc.*;
import io.grpc.stub.MetadataUtils;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A bot for Starships at Large: Bot --engine 127.0.0.1:50051 [--token TOKEN --game GAME_ID]. */
public final class Bot {
    private static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
    private final Random random = new Random();
    private GameServiceGrpc.GameServiceBlockingStub games;

    /**
     * Returns the reason of a final failure. For a retry, waits as the engine asks and returns
     * null.
     */
    private static String failureOf(StatusRuntimeException error) {
        Status.Code code = error.getStatus().getCode();
        byte[] bytes = error.getTrailers() == null ? null : error.getTrailers().get(DETAILS);
        // The engine always gives details. An error without details and with one of these codes is
        // a lost connection.
        boolean repeat = code == Status.Code.UNAVAILABLE || code == Status.Code.DEADLINE_EXCEEDED
                || (bytes == null && (code == Status.Code.UNKNOWN || code == Status.Code.INTERNAL));
        String reason = code.name();
        long wait = 200;
        try {
            List<com.google.protobuf.Any> details =
                    bytes == null ? List.of() : com.google.rpc.Status.parseFrom(bytes).getDetailsList();
            for (com.google.protobuf.Any detail : details) {
                if (detail.is(ErrorInfo.class)) reason = detail.unpack(ErrorInfo.class).getReason();
                if (detail.is(RetryInfo.class)) {
                    com.google.protobuf.Duration delay = detail.unpack(RetryInfo.class).getRetryDelay();
                    wait = delay.getSeconds() * 1000 + delay.getNanos() / 1_000_000 + 1;
                    repeat = true;
                }
            }
            if (!repeat && !reason.equals("LOST_RACE")) return reason;
            Thread.sleep(wait);
        } catch (InvalidProtocolBufferException | InterruptedException broken) {
            throw new IllegalStateException(broken);
        }
        return null;
    }

    /** Makes a call and retries it as long as the error allows a retry. */
    private static <A> A call(Supplier<A> attempt) {
        while (true) {
            try {
                return attempt.get();
            } catch (StatusRuntimeException error) {
                if (failureOf(error) != null) throw error;
            }
        }
    }

    /**
     * Returns an order whose slots take places, pieces, words or numbers. Costly orders are rare.
     */
    private String choose(Offers offers) {
        while (true) {
            Offer offer = offers.getOffers(random.nextInt(offers.getOffersCount()));
            boolean known = offer.getWeight() != OfferWeight.OFFER_WEIGHT_GRAVE || random.nextInt(20) == 0;
            String order = offer.getNotation();
            for (int at : offer.getSlotsList()) {
                Slot slot = offers.getSlots(at);
                String text = slot.hasNumber() ? "" + slot.getNumber().getLeast() : "";
                for (Picks picks : List.of(slot.getPlaces(), slot.getPieces(), slot.getWords())) {
                    if (picks.getMost() == 0 || slot.getOptional()) continue;
                    List<Integer> values = offers.getLists(picks.getList()).getValuesList();
                    text = offers.getValues(values.get(random.nextInt(values.size())));
                }
                known = known && (!text.isEmpty() || slot.getOptional());
                if (!text.isEmpty() && !slot.getText().isEmpty()) text = slot.getText().replace("{}", text);
                order = order.replace("{" + slot.getName() + "}", text);
            }
            if (known) return order;
        }
    }

    /** Submits orders while a decision is pending. */
    private void answer(String game) {
        while (true) {
            try {
                GetOffersRequest look = GetOffersRequest.newBuilder().setGameId(game).build();
                GetOffersResponse asked = call(() -> games.withDeadlineAfter(30, TimeUnit.SECONDS).getOffers(look));
                if (!asked.hasDecision()) return;
                // A random id. A repeated request with the same id gets the first response.
                SubmitOrdersRequest order = SubmitOrdersRequest.newBuilder().setGameId(game).setPhase(asked.getPhase())
                        .setRevision(asked.getRevision()).setRequestId(UUID.randomUUID().toString())
                        .setOrders(Orders.newBuilder().setText(choose(asked.getOffers()))).build();
                call(() -> games.withDeadlineAfter(30, TimeUnit.SECONDS).submitOrders(order));
            } catch (StatusRuntimeException error) {
                String reason = failureOf(error);
                if ("WRONG_STATUS".equals(reason)) return;
                // The game may have changed since the offers were read. Read the offers again.
                if (!"PHASE_CLOSED".equals(reason) && !"STALE_REVISION".equals(reason)) throw error;
            }
        }
    }

    /** Streams events until the game ends. After a break, resumes after the last event. */
    private void play(String game) {
        Cursor.Builder after = Cursor.newBuilder();
        while (true) {
            Context.CancellableContext line = Context.current().withCancellation();
            Context before = line.attach();
            try {
                StreamEventsRequest from = StreamEventsRequest.newBuilder().setGameId(game).setAfter(after).build();
                for (Iterator<StreamEventsResponse> parts = games.streamEvents(from); parts.hasNext(); ) {
                    StreamEventsResponse part = parts.next();
                    if (part.hasSnapshot()) after.setAudience(part.getSnapshot().getCursor().getAudience());
                    Event event = part.getEvent();
                    if (part.hasEvent()) {
                        after.setNumber(event.getNumber()).setTime(event.getTime());
                        System.out.printf("%5d  %s%n", event.getNumber(), event.getText());
                        if (event.hasGameEnded()) return;
                    }
                    // After a pause the decision is pending again without its own event.
                    if (part.hasCaughtUp() || event.hasDecisionOpened() || event.hasStatusChanged()) answer(game);
                }
                Thread.sleep(200);
            } catch (StatusRuntimeException error) {
                if (failureOf(error) != null) throw error;
            } catch (InterruptedException interrupted) {
                return;
            } finally {
                line.detach(before);
                line.cancel(null);
            }
        }
    }

    public static void main(String[] arguments) {
        Map<String, String> options = new HashMap<>(Map.of("--engine", "127.0.0.1:50051", "--token", "", "--game", ""));
        for (int at = 0; at + 1 < arguments.length; at += 2) options.put(arguments[at], arguments[at + 1]);
        ManagedChannel channel = ManagedChannelBuilder.forTarget(options.get("--engine")).usePlaintext().build();
        String token = options.get("--token");
        if (token.isEmpty()) {
            RegisterRequest request = RegisterRequest.newBuilder().setName("java-" + UUID.randomUUID().toString().substring(0, 8))
                    .setRequestId(UUID.randomUUID().toString()).build();
            token = call(() -> PlayerServiceGrpc.newBlockingStub(channel).register(request)).getToken();
        }
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        Bot bot = new Bot();
        bot.games = GameServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
        String game = options.get("--game");
        if (game.isEmpty()) {
            CreateGameRequest request = CreateGameRequest.newBuilder().setKind("starships-at-large").setStartWhenFull(true)
                    .addSeats(SeatPlan.newBuilder().setOpen(OpenSeat.getDefaultInstance()))
                    .addSeats(SeatPlan.newBuilder().setAutomated(AutomatedSeat.newBuilder().setLevel("random")))
                    .setRequestId(UUID.randomUUID().toString()).build();
            game = call(() -> bot.games.createGame(request)).getGame().getGameId();
        }
        bot.play(game);
        System.out.println("the game is over");
        channel.shutdownNow();
    }
}
