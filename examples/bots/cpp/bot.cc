// A bot for Starships at Large: bot --engine 127.0.0.1:50051 [--token TOKEN --game GAME_ID]. It
// resumes after lost connections.
#include <chrono>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <thread>

#include <grpcpp/grpcpp.h>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "heliopause/v1/game.grpc.pb.h"
#include "heliopause/v1/player.grpc.pb.h"

using namespace heliopause::v1;
using std::string;

std::mt19937_64 dice{std::random_device{}()};

// Returns a random id for a request. A repeated request with the same id gets the first response.
string random_id() { return std::to_string(dice()) + std::to_string(dice()); }

string replaced(string text, const string& old, const string& fresh) {
    for (size_t at = 0; (at = text.find(old, at)) != string::npos; at += fresh.size()) text.replace(at, old.size(), fresh);
    return text;
}

// Waits as long as the engine asks and returns true if a call should be retried. Otherwise sets
// `reason`.
bool should_retry(const grpc::Status& status, string* reason) {
    bool repeat = status.error_code() == grpc::UNAVAILABLE || status.error_code() == grpc::DEADLINE_EXCEEDED;
    auto wait = std::chrono::milliseconds(200);
    google::rpc::Status details;
    details.ParseFromString(status.error_details());
    for (const auto& detail : details.details()) {
        google::rpc::ErrorInfo info;
        google::rpc::RetryInfo retry;
        if (detail.UnpackTo(&info)) *reason = info.reason();
        if (detail.UnpackTo(&retry)) {
            wait = std::chrono::milliseconds(retry.retry_delay().seconds() * 1000 + retry.retry_delay().nanos() / 1000000 + 1);
            repeat = true;
        }
    }
    if (repeat || *reason == "LOST_RACE") std::this_thread::sleep_for(wait);
    return repeat || *reason == "LOST_RACE";
}

struct Bot {
    std::unique_ptr<GameService::Stub> games;
    std::unique_ptr<PlayerService::Stub> players;
    string token;

    void sign(grpc::ClientContext& context) const {
        if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
    }

    // Makes a call and retries it as long as the error allows a retry. Returns the reason if it
    // fails, otherwise "".
    template <class Stub, class Request, class Answer>
    string call(Stub& stub, grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Answer*), const Request& request, Answer* answer) const {
        while (true) {
            grpc::ClientContext context;
            sign(context);
            context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
            grpc::Status status = (stub.*method)(&context, request, answer);
            string reason = status.error_message();
            if (status.ok()) return "";
            if (!should_retry(status, &reason)) return reason;
        }
    }

    // Returns an order whose slots take places, pieces, words or numbers. Costly orders are rare.
    static string choose(const Offers& offers) {
        while (true) {
            const Offer& offer = offers.offers(dice() % offers.offers_size());
            bool known = offer.weight() != OFFER_WEIGHT_GRAVE || dice() % 20 == 0;
            string order = offer.notation();
            for (auto at : offer.slots()) {
                const Slot& slot = offers.slots(at);
                string text = slot.has_number() ? std::to_string(slot.number().least()) : "";
                for (const Picks* picks : {&slot.places(), &slot.pieces(), &slot.words()}) {
                    if (picks->most() == 0 || slot.optional()) continue;
                    const auto& values = offers.lists(picks->list()).values();
                    text = offers.values(values[dice() % values.size()]);
                }
                known = known && (!text.empty() || slot.optional());
                if (!text.empty() && !slot.text().empty()) text = replaced(slot.text(), "{}", text);
                order = replaced(order, "{" + slot.name() + "}", text);
            }
            if (known) return order;
        }
    }

    // Submits orders while a decision is pending. Returns the reason if that fails, otherwise "".
    string answer(const string& game) const {
        while (true) {
            GetOffersRequest look;
            look.set_game_id(game);
            GetOffersResponse asked;
            string failed = call(*games, &GameService::Stub::GetOffers, look, &asked);
            if (failed.empty() && !asked.has_decision()) return "";
            if (failed.empty()) {
                SubmitOrdersRequest order;
                order.set_game_id(game);
                order.set_phase(asked.phase());
                order.set_revision(asked.revision());
                order.set_request_id(random_id());
                order.mutable_orders()->set_text(choose(asked.offers()));
                SubmitOrdersResponse taken;
                failed = call(*games, &GameService::Stub::SubmitOrders, order, &taken);
            }
            if (failed == "WRONG_STATUS") return "";
            // The game may have changed since the offers were read. Read the offers again.
            if (!failed.empty() && failed != "PHASE_CLOSED" && failed != "STALE_REVISION") return failed;
        }
    }

    // Streams events from the first one until the game ends. After a break, resumes after the last
    // event.
    string play(const string& game) const {
        StreamEventsRequest from;
        from.set_game_id(game);
        from.mutable_after();
        while (true) {
            grpc::ClientContext context;
            sign(context);
            auto stream = games->StreamEvents(&context, from);
            for (StreamEventsResponse part; stream->Read(&part);) {
                if (part.has_snapshot()) *from.mutable_after()->mutable_audience() = part.snapshot().cursor().audience();
                if (part.has_event()) {
                    from.mutable_after()->set_number(part.event().number());
                    *from.mutable_after()->mutable_time() = part.event().time();
                    std::cout << part.event().number() << "  " << part.event().text() << std::endl;
                    if (part.event().has_game_ended()) return context.TryCancel(), "";
                }
                // After a pause the decision is pending again without its own event.
                if (!part.has_caught_up() && !part.event().has_decision_opened() && !part.event().has_status_changed()) continue;
                if (string failed = answer(game); !failed.empty()) return context.TryCancel(), failed;
            }
            grpc::Status status = stream->Finish();
            string reason = status.error_message();
            if (status.ok()) std::this_thread::sleep_for(std::chrono::milliseconds(200));
            else if (!should_retry(status, &reason)) return reason;
        }
    }
};

int main(int count, char** arguments) {
    std::map<string, string> options{{"--engine", "127.0.0.1:50051"}};
    for (int at = 1; at + 1 < count; at += 2) options[arguments[at]] = arguments[at + 1];
    auto channel = grpc::CreateChannel(options["--engine"], grpc::InsecureChannelCredentials());
    Bot bot{GameService::NewStub(channel), PlayerService::NewStub(channel), options["--token"]};
    string game = options["--game"], failed;
    if (bot.token.empty()) {
        RegisterRequest request;
        request.set_name("cpp-" + random_id().substr(0, 8));
        request.set_request_id(random_id());
        RegisterResponse account;
        failed = bot.call(*bot.players, &PlayerService::Stub::Register, request, &account);
        bot.token = account.token();
    }
    if (failed.empty() && game.empty()) {
        CreateGameRequest request;
        request.set_kind("starships-at-large");
        request.set_start_when_full(true);
        request.set_request_id(random_id());
        request.add_seats()->mutable_open();
        request.add_seats()->mutable_automated()->set_level("random");
        CreateGameResponse made;
        failed = bot.call(*bot.games, &GameService::Stub::CreateGame, request, &made);
        game = made.game().game_id();
    }
    if (failed.empty()) failed = bot.play(game);
    std::cout << (failed.empty() ? "the game is over" : failed) << std::endl;
    return failed.empty() ? 0 : 1;
}
