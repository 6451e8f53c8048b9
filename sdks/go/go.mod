module github.com/posthorn/posthorn/sdks/go

go 1.19
