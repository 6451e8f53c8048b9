// Package posthorn is a client of the Posthorn API: mail, contacts, campaigns, workflows and webhooks.
package posthorn

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand"
	"mime/multipart"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	maxRetryAfter  = 60 * time.Second
	longestBackoff = 8 * time.Second
)

// Options of a client. Track takes the public key (pk_), everything else the secret key (sk_) or an API key (ph_).
type Options struct {
	SecretKey string
	PublicKey string
	// BaseURL is http://127.0.0.1:3000 if it is empty.
	BaseURL string
	// Timeout of each attempt, 30 seconds if it is zero. A stream has it until its headers.
	Timeout time.Duration
	// Retries of calls that are safe to repeat: 2 if it is zero, none if it is negative.
	Retries int
	// Transport is http.DefaultTransport if it is nil.
	Transport http.RoundTripper
}

// Client has every operation that takes a key.
type Client struct {
	Resources
}

// New makes a client. It makes no request.
func New(options Options) *Client {
	if options.BaseURL == "" {
		options.BaseURL = "http://127.0.0.1:3000"
	}
	options.BaseURL = strings.TrimRight(options.BaseURL, "/")
	if options.Timeout == 0 {
		options.Timeout = 30 * time.Second
	}
	if options.Retries == 0 {
		options.Retries = 2
	}
	return &Client{resourcesOf(&requests{options, &http.Client{
		Transport: options.Transport,
		// The API redirects nowhere, and a key must not follow a redirect to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}})}
}

// Error is a request that the service refused, or that did not reach it. Code is one of the codes of the API, or
// MISSING_KEY, INVALID_ARGUMENT, NETWORK_ERROR, TIMEOUT or UNEXPECTED_RESPONSE.
type Error struct {
	Code       string                 `json:"code"`
	Message    string                 `json:"message"`
	Suggestion string                 `json:"suggestion"`
	Details    map[string]interface{} `json:"details"`
	RequestID  string                 `json:"requestId"`
	// Status is 0 if there was no answer.
	Status     int `json:"-"`
	retryAfter string
	cause      error
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Unwrap returns what broke the connection, or the error of the context.
func (e *Error) Unwrap() error { return e.cause }

// CallOption changes one call.
type CallOption func(*call)

// IdempotencyKey makes the service answer a repetition of the call with the first answer.
func IdempotencyKey(key string) CallOption { return func(c *call) { c.key = key } }

// Bool is for optional fields of queries.
func Bool(value bool) *bool { return &value }

// File is the content of a field of a form.
type File struct {
	Name    string
	Type    string
	Content []byte
}

type call struct {
	method, route  string
	query          url.Values
	body           interface{}
	public, keyed  bool
	form, asStream bool
	key            string
}

type requests struct {
	options Options
	http    *http.Client
}

var changing = regexp.MustCompile(`^\.{0,2}$`)

// pathOf is empty if a parameter would change the path.
func pathOf(template string, parameters ...string) string {
	values := make([]interface{}, len(parameters))
	for index, parameter := range parameters {
		if changing.MatchString(parameter) {
			return ""
		}
		values[index] = url.PathEscape(parameter)
	}
	return fmt.Sprintf(template, values...)
}

func (r *requests) do(ctx context.Context, c call, out interface{}, options []CallOption) error {
	content, err := r.send(ctx, c, options)
	if err != nil {
		return err
	}
	defer content.Body.Close()
	text, broken := io.ReadAll(content.Body)
	if broken != nil {
		return networkError(ctx, broken)
	}
	if out == nil || content.StatusCode == http.StatusNoContent {
		return nil
	}
	if !strings.Contains(content.Header.Get("content-type"), "json") {
		if raw, ok := out.(*[]byte); ok {
			*raw = text
			return nil
		}
		return unexpected(content)
	}
	var envelope struct {
		Success bool            `json:"success"`
		Data    json.RawMessage `json:"data"`
	}
	if json.Unmarshal(text, &envelope) == nil && envelope.Success && envelope.Data != nil {
		text = envelope.Data
	}
	if err := json.Unmarshal(text, out); err != nil {
		return &Error{Code: "UNEXPECTED_RESPONSE", Message: err.Error(), Status: content.StatusCode, cause: err}
	}
	return nil
}

func (r *requests) stream(ctx context.Context, c call, options []CallOption) (io.ReadCloser, error) {
	c.asStream = true
	response, err := r.send(ctx, c, options)
	if err != nil {
		return nil, err
	}
	return response.Body, nil
}

func (r *requests) send(ctx context.Context, c call, options []CallOption) (*http.Response, error) {
	for _, option := range options {
		option(&c)
	}
	if c.route == "" {
		return nil, &Error{Code: "INVALID_ARGUMENT", Message: "A parameter of the path is empty."}
	}
	header := http.Header{"User-Agent": {"posthorn-go"}}
	key, begin, name := r.options.SecretKey, "sk_ or ph_", "SecretKey"
	isForm := strings.HasPrefix(key, "sk_") || strings.HasPrefix(key, "ph_")
	if c.public {
		key, begin, name = r.options.PublicKey, "pk_", "PublicKey"
		isForm = strings.HasPrefix(key, "pk_")
	}
	if !isForm {
		message := fmt.Sprintf("%s %s needs a key that begins with %s: Options.%s.", c.method, c.route, begin, name)
		return nil, &Error{Code: "MISSING_KEY", Message: message}
	}
	header.Set("Authorization", "Bearer "+key)
	body, kind, err := bodyOf(c)
	if err != nil {
		return nil, &Error{Code: "INVALID_ARGUMENT", Message: err.Error(), cause: err}
	}
	if kind != "" {
		header.Set("Content-Type", kind)
	}
	if kind == "application/json" {
		header.Set("Prefer", "handling=strict")
	}
	if c.keyed {
		if c.key == "" {
			c.key = newKey()
		}
		header.Set("Idempotency-Key", c.key)
	}
	address := r.options.BaseURL + c.route
	if len(c.query) > 0 {
		address += "?" + c.query.Encode()
	}
	repeatable := c.keyed || (c.method != http.MethodPost && c.method != http.MethodPatch)
	for tries := 1; ; tries++ {
		response, failure := r.attempt(ctx, c, address, header, body)
		if failure == nil {
			return response, nil
		}
		if !repeatable || tries > r.options.Retries || !mayPass(failure, tries > 1) {
			return nil, failure
		}
		delay, isShort := delayOf(tries, failure.retryAfter)
		if !isShort {
			return nil, failure
		}
		select {
		case <-ctx.Done():
			return nil, failure
		case <-time.After(delay):
		}
		if c.keyed {
			// The stored answer of the first attempt, if there is one.
			header.Set("Idempotency-Mode", "replay")
		}
	}
}

func (r *requests) attempt(ctx context.Context, c call, address string, header http.Header, body []byte) (*http.Response, *Error) {
	attempt, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(r.options.Timeout, cancel)
	end := func() { timer.Stop(); cancel() }
	request, err := http.NewRequestWithContext(attempt, c.method, address, bytes.NewReader(body))
	if err != nil {
		end()
		return nil, &Error{Code: "INVALID_ARGUMENT", Message: err.Error(), cause: err}
	}
	request.Header = header.Clone()
	response, err := r.http.Do(request)
	if err != nil {
		failure := networkError(ctx, err)
		if attempt.Err() != nil && ctx.Err() == nil {
			failure = &Error{Code: "TIMEOUT", Message: fmt.Sprintf("No complete response within %s.", r.options.Timeout), cause: err}
		}
		end()
		return nil, failure
	}
	response.Body = &ended{response.Body, end}
	if c.asStream {
		timer.Stop()
	}
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		return response, nil
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return nil, errorOf(response, text)
}

// ended releases the timer of an attempt when its body is closed.
type ended struct {
	io.ReadCloser
	end func()
}

func (e *ended) Close() error {
	defer e.end()
	return e.ReadCloser.Close()
}

func bodyOf(c call) ([]byte, string, error) {
	if c.body == nil {
		return nil, "", nil
	}
	if !c.form {
		text, err := json.Marshal(c.body)
		return text, "application/json", err
	}
	fields, ok := c.body.(map[string]interface{})
	if !ok {
		return nil, "", errors.New("a form is a map[string]interface{}")
	}
	var buffer bytes.Buffer
	writer := multipart.NewWriter(&buffer)
	for name, value := range fields {
		file, isFile := value.(File)
		if !isFile {
			if err := writer.WriteField(name, fmt.Sprint(value)); err != nil {
				return nil, "", err
			}
			continue
		}
		escape := strings.NewReplacer(`"`, "%22", "\r", "%0D", "\n", "%0A").Replace
		part, err := writer.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {fmt.Sprintf(`form-data; name="%s"; filename="%s"`, escape(name), escape(file.Name))},
			"Content-Type":        {strings.NewReplacer("\r", "", "\n", "").Replace(file.Type)},
		})
		if err != nil {
			return nil, "", err
		}
		if _, err := part.Write(file.Content); err != nil {
			return nil, "", err
		}
	}
	err := writer.Close()
	return buffer.Bytes(), writer.FormDataContentType(), err
}

func newKey() string {
	key := make([]byte, 16)
	if _, err := rand.Read(key); err != nil {
		panic(err)
	}
	return hex.EncodeToString(key)
}

func unexpected(response *http.Response) *Error {
	message := fmt.Sprintf("The response does not come from the service: status %d.", response.StatusCode)
	return &Error{
		Code: "UNEXPECTED_RESPONSE", Message: message, Status: response.StatusCode,
		RequestID: response.Header.Get("x-request-id"), retryAfter: response.Header.Get("retry-after"),
	}
}

func networkError(ctx context.Context, err error) *Error {
	var late net.Error
	if ctx.Err() == nil && errors.As(err, &late) && late.Timeout() {
		return &Error{Code: "TIMEOUT", Message: "No complete response in time.", cause: err}
	}
	message := fmt.Sprintf("The server was not reached, or the connection broke: %s.", err)
	return &Error{Code: "NETWORK_ERROR", Message: message, cause: err}
}

func errorOf(response *http.Response, text []byte) *Error {
	var envelope struct {
		Error json.RawMessage `json:"error"`
	}
	failure := unexpected(response)
	if json.Unmarshal(text, &envelope) != nil {
		return failure
	}
	var sentence string
	if json.Unmarshal(envelope.Error, &sentence) == nil && response.StatusCode == http.StatusBadRequest {
		failure.Code, failure.Message = "BAD_REQUEST", sentence
		return failure
	}
	known := *failure
	known.Code = ""
	if json.Unmarshal(envelope.Error, &known) != nil || known.Code == "" {
		return failure
	}
	if known.Details["reason"] == "sender_domain_unverified" {
		known.Code = "SENDER_DOMAIN_UNVERIFIED"
	}
	return &known
}

// mayPass says whether a retry can succeed. A key counts as in use while our own earlier attempt still runs.
func mayPass(failure *Error, isRetry bool) bool {
	switch failure.Status {
	case 408, 429, 500, 502, 503, 504:
		return true
	}
	_, isStored := failure.Details["originalStatusCode"]
	isOwn := isRetry && failure.Code == "IDEMPOTENCY_KEY_REUSED" && !isStored
	return failure.Code == "NETWORK_ERROR" || failure.Code == "TIMEOUT" || isOwn
}

// delayOf is the asked time; otherwise half a second, doubled up to eight, minus a random part.
func delayOf(tries int, retryAfter string) (time.Duration, bool) {
	if seconds, err := strconv.Atoi(retryAfter); err == nil && seconds >= 0 {
		delay := time.Duration(seconds) * time.Second
		return delay, delay <= maxRetryAfter
	}
	if date, err := http.ParseTime(retryAfter); err == nil {
		delay := time.Until(date)
		return delay, delay <= maxRetryAfter
	}
	delay := longestBackoff
	if tries < 5 {
		delay = 500 * time.Millisecond << (tries - 1)
	}
	return time.Duration(float64(delay) * (1 - mathrand.Float64()/2)), true
}
