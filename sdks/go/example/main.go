// Sends a mail and waits for its result.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	posthorn "github.com/posthorn/posthorn/sdks/go"
)

func main() {
	ctx, client := context.Background(), posthorn.New(posthorn.Options{BaseURL: os.Getenv("POSTHORN_URL"), SecretKey: os.Getenv("POSTHORN_KEY")})
	var sent struct{ Emails []struct{ Email string } }
	if err := client.Send(ctx, map[string]string{"to": "anna@example.com", "from": "hi@posthorn.test", "subject": "Hi", "body": "<p>Hi</p>"}, &sent); err != nil {
		log.Fatal(err)
	}
	var mail struct{ To, Status string }
	for mail.Status == "" || mail.Status == "PENDING" || mail.Status == "SENDING" {
		time.Sleep(100 * time.Millisecond)
		if err := client.Emails.Get(ctx, sent.Emails[0].Email, &mail); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("The mail to %s is %s.\n", mail.To, mail.Status)
}
