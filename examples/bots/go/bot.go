// A bot for Starships at Large: it makes a game or plays in one, and goes on whatever happens to the line or the engine.
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

// A fresh id for each request: if the answer is lost, the same id fetches it again.
func freshID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id)
	return fmt.Sprintf("%x", id)
}

// Why a call failed, and whether it may be made again: then this has waited as the engine asks.
func again(err error) (reason string, repeat bool) {
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
	line *grpc.ClientConn
}

// Makes a call, and makes it again as long as that is what the engine asks for.
func (b *bot) call(method string, request, answer interface{}) error {
	for {
		ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
		err := b.line.Invoke(ctx, "/heliopause.v1."+method, request, answer)
		cancel()
		if err == nil {
			return nil
		}
		if _, repeat := again(err); !repeat {
			return err
		}
	}
}

// An order without slots, or one whose slots take places, pieces or words; what ends a turn comes seldom.
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

// Orders as long as a decision is open.
func (b *bot) answer(game string) error {
	for {
		var asked v1.GetOffersResponse
		err := b.call("GameService/GetOffers", &v1.GetOffersRequest{GameId: game}, &asked)
		if err == nil && asked.Decision == nil {
			return nil
		}
		if err == nil {
			order := &v1.SubmitOrdersRequest{GameId: game, Phase: asked.Phase, Revision: asked.Revision,
				RequestId: freshID(), Orders: &v1.Orders{Text: choose(asked.Offers)}}
			err = b.call("GameService/SubmitOrders", order, &v1.SubmitOrdersResponse{})
		}
		if err != nil {
			// The game may have moved on between looking and ordering: then look again.
			if reason, _ := again(err); reason == "WRONG_STATUS" {
				return nil
			} else if reason != "PHASE_CLOSED" && reason != "STALE_REVISION" {
				return err
			}
		}
	}
}

// Listens from the first event, and after a break from the last that it knows, until the game ends.
func (b *bot) play(game string) error {
	after := &v1.Cursor{}
	for {
		stream, err := v1.NewGameServiceClient(b.line).StreamEvents(b.ctx, &v1.StreamEventsRequest{GameId: game, After: after})
		for err == nil {
			var part *v1.StreamEventsResponse
			if part, err = stream.Recv(); err != nil {
				break
			}
			event := part.GetEvent()
			if opening := part.GetOpening(); opening != nil {
				after.Audience = opening.GetCursor().GetAudience()
			} else if event != nil {
				after.Number, after.Time = event.Number, event.Time
				fmt.Printf("%5d  %s\n", event.Number, event.Text)
			}
			if event.GetGameEnded() != nil {
				return nil
			}
			// After a pause the question is open again without an event of its own.
			if part.GetCaughtUp() != nil || event.GetDecisionOpened() != nil || event.GetStatusChanged() != nil {
				if err := b.answer(game); err != nil {
					return err
				}
			}
		}
		if _, repeat := again(err); !repeat {
			return err
		}
	}
}

func main() {
	engine := flag.String("engine", "127.0.0.1:50051", "host and port")
	token := flag.String("token", "", "the account, instead of a new one")
	game := flag.String("game", "", "the game, instead of a new one")
	flag.Parse()
	line, err := grpc.Dial(*engine, grpc.WithInsecure())
	b := &bot{context.Background(), line}
	if err == nil && *token == "" {
		var account v1.RegisterResponse
		err = b.call("PlayerService/Register", &v1.RegisterRequest{Name: "go-" + freshID()[:8], RequestId: freshID()}, &account)
		*token = account.Token
	}
	b.ctx = metadata.AppendToOutgoingContext(b.ctx, "authorization", "Bearer "+*token)
	if err == nil && *game == "" {
		seats := []*v1.SeatPlan{{Plan: &v1.SeatPlan_Open{Open: &v1.OpenSeat{}}}, {Plan: &v1.SeatPlan_Automated{Automated: &v1.AutomatedSeat{Level: "random"}}}}
		var made v1.CreateGameResponse
		err = b.call("GameService/CreateGame", &v1.CreateGameRequest{Kind: "starships-at-large", Seats: seats, StartWhenFull: true, RequestId: freshID()}, &made)
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
