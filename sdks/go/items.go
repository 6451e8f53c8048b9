package posthorn

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
)

// Items is a list that requests pages as they are needed:
//
//	items := client.Contacts.List(posthorn.ContactsListQuery{})
//	for items.Next(ctx) {
//		var contact struct{ Email string }
//		if err := items.Decode(&contact); err != nil { ... }
//	}
//	if err := items.Err(); err != nil { ... }
type Items struct {
	requests *requests
	call     call
	page     []json.RawMessage
	at       int
	hasNext  bool
	err      error
}

func itemsOf(r *requests, c call) *Items { return &Items{requests: r, call: c, at: -1, hasNext: true} }

// Next goes to the next item. It is false at the end, and after an error.
func (i *Items) Next(ctx context.Context) bool {
	i.at++
	for i.err == nil && i.at >= len(i.page) && i.hasNext {
		i.err = i.fetch(ctx)
	}
	return i.err == nil && i.at < len(i.page)
}

// Decode reads the item into a pointer.
func (i *Items) Decode(out interface{}) error { return json.Unmarshal(i.page[i.at], out) }

// Err is what ended the list early.
func (i *Items) Err() error { return i.err }

func (i *Items) fetch(ctx context.Context) error {
	var page struct {
		Data       []json.RawMessage `json:"data"`
		Cursor     string            `json:"cursor"`
		Page       int               `json:"page"`
		TotalPages int               `json:"totalPages"`
	}
	if err := i.requests.do(ctx, i.call, &page, nil); err != nil {
		return err
	}
	i.page, i.at, i.hasNext = page.Data, 0, true
	switch {
	case page.Cursor != "":
		return i.goTo("cursor", page.Cursor, page.Cursor)
	case page.Page < page.TotalPages:
		return i.goTo("page", strconv.Itoa(page.Page+1), page.Page+1)
	}
	i.hasNext = false
	return nil
}

func (i *Items) goTo(name string, text string, value interface{}) error {
	if i.call.method == http.MethodGet {
		if i.call.query == nil {
			i.call.query = url.Values{}
		}
		i.call.query.Set(name, text)
		return nil
	}
	body := map[string]interface{}{}
	if i.call.body != nil {
		given, err := json.Marshal(i.call.body)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(given, &body); err != nil {
			return err
		}
	}
	body[name] = value
	i.call.body = body
	return nil
}

func setString(values url.Values, name string, value string) {
	if value != "" {
		values.Set(name, value)
	}
}

func setInt(values url.Values, name string, value int) {
	if value != 0 {
		values.Set(name, strconv.Itoa(value))
	}
}

func setFloat(values url.Values, name string, value float64) {
	if value != 0 {
		values.Set(name, strconv.FormatFloat(value, 'f', -1, 64))
	}
}

func setBool(values url.Values, name string, value *bool) {
	if value != nil {
		values.Set(name, strconv.FormatBool(*value))
	}
}
