// A bot for Starships at Large: dotnet run -- --engine http://127.0.0.1:50051 [--token TOKEN --game
// GAME_ID]. It resumes after lost connections. Needs Google.Protobuf, Google.Api.CommonProtos,
// Grpc.Net.Client and Grpc.StatusProto.
using Google.Rpc;
using Grpc.Core;
using Grpc.Net.Client;
using Heliopause.V1;

var options = new Dictionary<string, string> { ["--engine"] = "http://127.0.0.1:50051", ["--token"] = "", ["--game"] = "" };
for (var at = 0; at + 1 < args.Length; at += 2) options[args[at]] = args[at + 1];
using var channel = GrpcChannel.ForAddress(options["--engine"].Contains("://") ? options["--engine"] : $"http://{options["--engine"]}", new GrpcChannelOptions { MaxReceiveMessageSize = 16 << 20 });
var games = new GameService.GameServiceClient(channel);
var headers = new Metadata();
var (token, game) = (options["--token"], options["--game"]);
if (token == "")
{
    var request = new RegisterRequest { Name = $"csharp-{RandomId()[..8]}", RequestId = RandomId() };
    token = Call(() => new PlayerService.PlayerServiceClient(channel).Register(request)).Token;
}
headers.Add("authorization", $"Bearer {token}");
if (game == "")
{
    var request = new CreateGameRequest { Kind = "starships-at-large", StartWhenFull = true, RequestId = RandomId() };
    request.Seats.Add(new SeatPlan { Open = new OpenSeat() });
    request.Seats.Add(new SeatPlan { Automated = new AutomatedSeat { Level = "random" } });
    game = Call(() => games.CreateGame(request, headers)).Game.GameId;
}
await Play();
Console.WriteLine("the game is over");

// Returns a random id for a request. A repeated request with the same id gets the first response.
static string RandomId() => Guid.NewGuid().ToString("N");

// Returns the reason of a final failure. For a retry, waits as the engine asks and returns null.
static string? FailureOf(RpcException error)
{
    var status = error.GetRpcStatus();
    var reason = status?.GetDetail<ErrorInfo>()?.Reason ?? error.StatusCode.ToString();
    var retry = status?.GetDetail<RetryInfo>()?.RetryDelay;
    if (retry is null && reason != "LOST_RACE" && error.StatusCode is not (StatusCode.Unavailable or StatusCode.DeadlineExceeded))
        return reason;
    Thread.Sleep(retry?.ToTimeSpan() ?? TimeSpan.FromMilliseconds(200));
    return null;
}

// Makes a call and retries it as long as the error allows a retry.
static T Call<T>(Func<T> attempt)
{
    while (true)
    {
        try { return attempt(); }
        catch (RpcException error) when (FailureOf(error) is null) { }
    }
}

// Returns an order whose slots take places, pieces, words or numbers. Costly orders are rare.
static string Choose(Offers offers)
{
    while (true)
    {
        var offer = offers.Offers_[Random.Shared.Next(offers.Offers_.Count)];
        var known = offer.Weight != OfferWeight.Grave || Random.Shared.Next(20) == 0;
        var order = offer.Notation;
        foreach (var at in offer.Slots)
        {
            var slot = offers.Slots[(int)at];
            var text = slot.Number is { } number ? number.Least.ToString() : "";
            if ((slot.Places ?? slot.Pieces ?? slot.Words) is { } picks && !slot.Optional)
            {
                var values = offers.Lists[(int)picks.List].Values;
                text = offers.Values[(int)values[Random.Shared.Next(values.Count)]];
            }
            known &= text != "" || slot.Optional;
            if (text != "" && slot.Text != "") text = slot.Text.Replace("{}", text);
            order = order.Replace($"{{{slot.Name}}}", text);
        }
        if (known) return order;
    }
}

// Submits orders while a decision is pending.
void Answer()
{
    while (true)
    {
        try
        {
            var limit = () => DateTime.UtcNow.AddSeconds(30);
            var asked = Call(() => games.GetOffers(new GetOffersRequest { GameId = game }, headers, limit()));
            if (asked.Decision is null) return;
            var orders = new Orders { Text = Choose(asked.Offers) };
            var request = new SubmitOrdersRequest
            {
                GameId = game, Phase = asked.Phase, Revision = asked.Revision, RequestId = RandomId(), Orders = orders,
            };
            Call(() => games.SubmitOrders(request, headers, limit()));
        }
        catch (RpcException error)
        {
            var reason = FailureOf(error);
            if (reason == "WRONG_STATUS") return;
            // The game may have changed since the offers were read. Read the offers again.
            if (reason is not ("PHASE_CLOSED" or "STALE_REVISION")) throw;
        }
    }
}

// Streams events from the first one until the game ends. After a break, resumes after the last
// event.
async Task Play()
{
    var after = new Cursor();
    while (true)
    {
        try
        {
            using var stream = games.StreamEvents(new StreamEventsRequest { GameId = game, After = after }, headers);
            await foreach (var part in stream.ResponseStream.ReadAllAsync())
            {
                if (part.Snapshot is { } snapshot) after.Audience = snapshot.Cursor.Audience;
                if (part.Event is { } told)
                {
                    (after.Number, after.Time) = (told.Number, told.Time);
                    Console.WriteLine($"{told.Number,5}  {told.Text}");
                    if (told.GameEnded is not null) return;
                }
                // After a pause the decision is pending again without its own event.
                if (part.CaughtUp is not null || part.Event?.DecisionOpened is not null || part.Event?.StatusChanged is not null) Answer();
            }
            await Task.Delay(200);
        }
        catch (RpcException error) when (FailureOf(error) is null) { }
    }
}
