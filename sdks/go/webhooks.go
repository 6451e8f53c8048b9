package posthorn

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * 60

// WebhookError is a call that cannot be verified. Answer it with 401 and ignore it. Reason is "headers" if one is missing,
// "timestamp" if the time is more than five minutes off, or "signature" if none matches.
type WebhookError struct{ Reason string }

func (e *WebhookError) Error() string { return "the webhook cannot be verified: " + e.Reason }

var now = time.Now

// VerifyWebhook checks a call that the service signed with this secret (whsec_...), by the Standard Webhooks specification.
// The payload is the unchanged body. The same Webhook-Id may arrive more than once.
func VerifyWebhook(payload []byte, header http.Header, secret string) error {
	id, timestamp, signatures := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp"), header.Get("Webhook-Signature")
	if id == "" || timestamp == "" || signatures == "" {
		return &WebhookError{"headers"}
	}
	at, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return &WebhookError{"timestamp"}
	}
	if age := now().Unix() - int64(at); age > tolerance || age < -tolerance {
		return &WebhookError{"timestamp"}
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(payload)
	expected := mac.Sum(nil)
	// During a rotation a call has two signatures, of the new and the old secret.
	for _, signature := range strings.Split(signatures, " ") {
		if !strings.HasPrefix(signature, "v1,") {
			continue
		}
		if given, err := base64.StdEncoding.DecodeString(signature[3:]); err == nil && hmac.Equal(given, expected) {
			return nil
		}
	}
	return &WebhookError{"signature"}
}
