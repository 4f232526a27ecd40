// A bot for Starships at Large: creates or joins a game, and resumes after lost connections.
//
//	bot --engine 127.0.0.1:50051 [--token TOKEN --game GAME_ID]
package main

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"log"
	random "math/rand"
	"strings"
	"time"

	v1 "example.com/your-client/gen/go/heliopause/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Returns a random id for a request. A repeated request with the same id gets the first response.
func randomID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id)
	return fmt.Sprintf("%x", id)
}

// Returns the reason of a failure and whether to retry. Before a retry, waits as the engine asks.
func failure(err error) (reason string, repeat bool) {
	wait := 200 * time.Millisecond
	repeat = err.Error() == "EOF" || status.Code(err) == codes.Unavailable || status.Code(err) == codes.DeadlineExceeded
	for _, detail := range status.Convert(err).Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			reason = detail.Reason
		case *errdetails.RetryInfo:
			wait, repeat = time.Duration(detail.RetryDelay.GetSeconds()*1e9+int64(detail.RetryDelay.GetNanos())), true
		}
	}
	if repeat = repeat || reason == "LOST_RACE"; repeat {
		time.Sleep(wait)
	}
	return reason, repeat
}

// A bot with its account.
type bot struct {
	ctx  context.Context
	conn *grpc.ClientConn
}

// Makes a call and retries it as long as the error allows a retry.
func (b *bot) call(method string, request, answer interface{}) error {
	for {
		ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
		err := b.conn.Invoke(ctx, "/heliopause.v1."+method, request, answer)
		cancel()
		if err == nil {
			return nil
		}
		if _, repeat := failure(err); !repeat {
			return err
		}
	}
}

// Returns an order whose slots take places, pieces or words. Orders that end a turn are rare.
func choose(offers *v1.Offers) string {
	for {
		offer := offers.Offers[random.Intn(len(offers.Offers))]
		order, known := offer.Notation, offer.Weight != v1.OfferWeight_OFFER_WEIGHT_GRAVE || random.Intn(20) == 0
		for _, at := range offer.Slots {
			slot, text := offers.Slots[at], ""
			for _, picks := range []*v1.Picks{slot.GetPlaces(), slot.GetPieces(), slot.GetWords()} {
				if picks != nil && !slot.Optional {
					values := offers.Lists[picks.List].Values
					text = offers.Values[values[random.Intn(len(values))]]
				}
			}
			if number := slot.GetNumber(); number != nil {
				text = fmt.Sprint(number.Least)
			}
			known = known && (text != "" || slot.Optional)
			if text != "" && slot.Text != "" {
				text = strings.ReplaceAll(slot.Text, "{}", text)
			}
			order = strings.ReplaceAll(order, "{"+slot.Name+"}", text)
		}
		if known {
			return order
		}
	}
}

// Submits orders while a decision is pending.
func (b *bot) answer(game string) error {
	for {
		var asked v1.GetOffersResponse
		err := b.call("GameService/GetOffers", &v1.GetOffersRequest{GameId: game}, &asked)
		if err == nil && asked.Decision == nil {
			return nil
		}
		if err == nil {
			order := &v1.SubmitOrdersRequest{GameId: game, Phase: asked.Phase, Revision: asked.Revision,
				RequestId: randomID(), Orders: &v1.Orders{Text: choose(asked.Offers)}}
			err = b.call("GameService/SubmitOrders", order, &v1.SubmitOrdersResponse{})
		}
		if err != nil {
			// The game may have changed since the offers were read. Read the offers again.
			if reason, _ := failure(err); reason == "WRONG_STATUS" {
				return nil
			} else if reason != "PHASE_CLOSED" && reason != "STALE_REVISION" {
				return err
			}
		}
	}
}

// Streams events from the first one until the game ends. After a break, resumes after the last
// event.
func (b *bot) play(game string) error {
	after := &v1.Cursor{}
	for {
		stream, err := v1.NewGameServiceClient(b.conn).StreamEvents(b.ctx, &v1.StreamEventsRequest{GameId: game, After: after})
		for err == nil {
			var part *v1.StreamEventsResponse
			if part, err = stream.Recv(); err != nil {
				break
			}
			event := part.GetEvent()
			if snapshot := part.GetSnapshot(); snapshot != nil {
				after.Audience = snapshot.GetCursor().GetAudience()
			} else if event != nil {
				after.Number, after.Time = event.Number, event.Time
				fmt.Printf("%5d  %s\n", event.Number, event.Text)
			}
			if event.GetGameEnded() != nil {
				return nil
			}
			// After a pause the decision is pending again without its own event.
			if part.GetCaughtUp() != nil || event.GetDecisionOpened() != nil || event.GetStatusChanged() != nil {
				if err := b.answer(game); err != nil {
					return err
				}
			}
		}
		if _, repeat := failure(err); !repeat {
			return err
		}
	}
}

func main() {
	engine := flag.String("engine", "127.0.0.1:50051", "host and port")
	token := flag.String("token", "", "token of an account (default: create one)")
	game := flag.String("game", "", "id of a game (default: create one)")
	flag.Parse()
	conn, err := grpc.Dial(*engine, grpc.WithInsecure())
	b := &bot{context.Background(), conn}
	if err == nil && *token == "" {
		var account v1.RegisterResponse
		err = b.call("PlayerService/Register", &v1.RegisterRequest{Name: "go-" + randomID()[:8], RequestId: randomID()}, &account)
		*token = account.Token
	}
	b.ctx = metadata.AppendToOutgoingContext(b.ctx, "authorization", "Bearer "+*token)
	if err == nil && *game == "" {
		seats := []*v1.SeatPlan{{Plan: &v1.SeatPlan_Open{Open: &v1.OpenSeat{}}}, {Plan: &v1.SeatPlan_Automated{Automated: &v1.AutomatedSeat{Level: "random"}}}}
		var made v1.CreateGameResponse
		err = b.call("GameService/CreateGame", &v1.CreateGameRequest{Kind: "starships-at-large", Seats: seats, StartWhenFull: true, RequestId: randomID()}, &made)
		*game = made.GetGame().GetGameId()
	}
	if err == nil {
		err = b.play(*game)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the game is over")
}
