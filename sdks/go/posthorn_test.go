package posthorn

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// The same calls as in the tests of the client for TypeScript.
func TestWebhooks(t *testing.T) {
	var vectors []struct {
		About, Secret, Body, Reason string
		Now                         int64
		Headers                     map[string]string
	}
	text, err := os.ReadFile("../webhook-vectors.json")
	if err != nil || json.Unmarshal(text, &vectors) != nil || len(vectors) < 15 {
		t.Fatal("no vectors", err)
	}
	defer func() { now = time.Now }()
	for _, vector := range vectors {
		now = func() time.Time { return time.Unix(vector.Now, 0) }
		header := http.Header{}
		for name, value := range vector.Headers {
			header.Set(name, value)
		}
		err := VerifyWebhook([]byte(vector.Body), header, vector.Secret)
		var refused *WebhookError
		if vector.Reason == "" && err != nil {
			t.Error(vector.About, err)
		}
		if vector.Reason != "" && (!errors.As(err, &refused) || refused.Reason != vector.Reason) {
			t.Error(vector.About, err)
		}
	}
}

type answer struct {
	status  int
	header  map[string]string
	content string
}

type seen struct {
	method, path, body string
	header             http.Header
}

func serve(t *testing.T, answers ...answer) (*Client, *[]seen) {
	found := &[]seen{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*found = append(*found, seen{r.Method, r.URL.RequestURI(), string(body), r.Header})
		next := answers[len(*found)-1]
		w.Header().Set("content-type", "application/json")
		for name, value := range next.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(next.status)
		io.WriteString(w, next.content)
	}))
	t.Cleanup(server.Close)
	return New(Options{SecretKey: "sk_a", BaseURL: server.URL + "/"}), found
}

func codeOf(err error) string {
	var failure *Error
	if errors.As(err, &failure) {
		return failure.Code
	}
	return ""
}

const unavailable = `{"success":false,"error":{"code":"SERVICE_UNAVAILABLE","message":"No.","requestId":"r-1"}}`

var ctx = context.Background()

func TestRepeatsAWriteWithItsKey(t *testing.T) {
	client, found := serve(t,
		answer{503, map[string]string{"retry-after": "0"}, unavailable},
		answer{200, nil, `{"success":true,"data":{"emails":[{"email":"e"}]}}`})
	var sent struct{ Emails []struct{ Email string } }
	if err := client.Send(ctx, map[string]string{"to": "a@example.com"}, &sent, IdempotencyKey("k-1")); err != nil {
		t.Fatal(err)
	}
	first, second := (*found)[0].header, (*found)[1].header
	if sent.Emails[0].Email != "e" || first.Get("Idempotency-Key") != "k-1" || first.Get("Idempotency-Mode") != "" ||
		second.Get("Idempotency-Key") != "k-1" || second.Get("Idempotency-Mode") != "replay" {
		t.Error(sent, first, second)
	}
}

func TestRepeatsNoWriteWithoutAKeyAndNoDecision(t *testing.T) {
	client, found := serve(t, answer{503, nil, unavailable}, answer{404, nil, `{"error":{"code":"NOT_FOUND"}}`},
		answer{429, map[string]string{"retry-after": "61"}, `{"error":{"code":"RATE_LIMITED"}}`})
	codes := []string{
		codeOf(client.Contacts.Upsert(ctx, map[string]string{}, nil)),
		codeOf(client.Contacts.Get(ctx, "c", nil)),
		codeOf(client.Contacts.Get(ctx, "c", nil)),
	}
	if strings.Join(codes, " ") != "SERVICE_UNAVAILABLE NOT_FOUND RATE_LIMITED" || len(*found) != 3 {
		t.Error(codes, len(*found))
	}
}

func TestGoesThroughThePagesOfAList(t *testing.T) {
	client, found := serve(t, answer{200, nil, `{"data":[1,2],"cursor":"next page"}`}, answer{200, nil, `{"data":[3]}`})
	sum := 0
	items := client.Contacts.List(ContactsListQuery{Limit: 2, Subscribed: Bool(true)})
	for items.Next(ctx) {
		var item int
		if err := items.Decode(&item); err != nil {
			t.Fatal(err)
		}
		sum += item
	}
	if items.Err() != nil || sum != 6 || (*found)[0].path != "/contacts?limit=2&subscribed=true" ||
		!strings.Contains((*found)[1].path, "cursor=next+page") {
		t.Error(items.Err(), sum, *found)
	}
}

func TestRefusesWhatCannotBeAsked(t *testing.T) {
	client, found := serve(t, answer{200, nil, `{"success":true,"data":{}}`})
	if err := client.Contacts.Get(ctx, "a/../b?c", nil); err != nil || (*found)[0].path != "/contacts/a%2F..%2Fb%3Fc" {
		t.Error(err, *found)
	}
	for _, id := range []string{"", ".", ".."} {
		if code := codeOf(client.Contacts.Get(ctx, id, nil)); code != "INVALID_ARGUMENT" {
			t.Error(id, code)
		}
	}
	if code := codeOf(client.Track(ctx, map[string]string{}, nil)); code != "MISSING_KEY" || len(*found) != 1 {
		t.Error(code)
	}
}

func TestSaysWhatIsNoAnswerOfTheService(t *testing.T) {
	client, _ := serve(t, answer{404, map[string]string{"content-type": "text/html"}, "<h1>Not here</h1>"})
	if code := codeOf(client.Contacts.Get(ctx, "c", nil)); code != "UNEXPECTED_RESPONSE" {
		t.Error(code)
	}
	if code := codeOf(New(Options{SecretKey: "sk_a", BaseURL: "http://127.0.0.1:1", Retries: -1}).Contacts.Get(ctx, "c", nil)); code != "NETWORK_ERROR" {
		t.Error(code)
	}
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer slow.Close()
	late := New(Options{SecretKey: "sk_a", BaseURL: slow.URL, Timeout: 50 * time.Millisecond, Retries: -1})
	if code := codeOf(late.Contacts.Get(ctx, "c", nil)); code != "TIMEOUT" {
		t.Error(code)
	}
}
