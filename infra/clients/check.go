// A program like any that uses the client which oapi-codegen makes from infra/openapi.yaml: creates a session with something to work
// on, polls its reply, decides a request, meets errors. Usage: BASE=… KEY=… go run .
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func require(holds bool, seen any) {
	if !holds {
		panic(fmt.Sprintf("%+v", seen))
	}
}

func connect(key string) *ClientWithResponses {
	return must(NewClientWithResponses(os.Getenv("BASE"), WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "ApiKey "+key)
		return nil
	})))
}

func main() {
	client, background := connect(os.Getenv("KEY")), context.Background()
	content, variables := "Grüße", map[string]string{"A": "b"}
	body := CreateSession{AgentName: "shell", Message: "cat note; echo $A", Files: &[]NewFile{{Path: "note", Content: &content}}}
	body.Environment = &NewEnvironment{Variables: &variables}
	answer := must(client.CreateSessionWithResponse(background, nil, body))
	require(answer.JSON201 != nil, string(answer.Body))
	created := answer.JSON201
	params := &ListThreadMessagesParams{Type: &MessageTypes{MessageTypeFinalMessage}, Role: &MessageRoles{MessageRoleAssistant}}
	text := ""
	for deadline := time.Now().Add(time.Minute); text == "" && time.Now().Before(deadline); time.Sleep(time.Second) {
		page := must(client.ListThreadMessagesWithResponse(background, created.Id, created.ThreadId, params)).JSON200
		if len(page.Items) > 0 {
			text = page.Items[0].Message
		}
	}
	require(strings.TrimSpace(text) == "Grüßeb", text)
	held := PermissionPolicyAsk
	careful := CreateSession{AgentName: "shell", Message: "echo allowed", Permissions: &NewPermissions{Default: &held}}
	session := must(client.CreateSessionWithResponse(background, nil, careful)).JSON201
	var requests []SessionRequest
	for deadline := time.Now().Add(time.Minute); len(requests) == 0 && time.Now().Before(deadline); time.Sleep(time.Second) {
		requests = must(client.ListRequestsWithResponse(background, &ListRequestsParams{SessionId: &session.Id})).JSON200.Items
	}
	require(len(requests) == 1, "no request")
	decide := func(word DecisionWord) *DecideRequestResponse {
		return must(client.DecideRequestWithResponse(background, session.Id, requests[0].Id, NewDecision{Decision: word}))
	}
	require(decide(DecisionWordAllow).JSON200 != nil, "not decided")
	require(decide(DecisionWordDeny).JSON409 != nil, "decided twice")
	unknown := must(client.CreateSessionWithResponse(background, nil, CreateSession{AgentName: "x", Message: "y"})).JSON422
	require(unknown.Code == ProblemCodeVALIDATION && strings.Contains((*unknown.Details)[0].Message, "shell"), unknown)
	must(client.DeleteSessionWithResponse(background, created.Id))
	require(must(client.GetSessionWithResponse(background, created.Id)).JSON404 != nil, "still there")
	require(must(connect("ask_wrong").GetMeWithResponse(background)).JSON401 != nil, "a wrong key")
	fmt.Println("go: created, polled, decided, refused: as the contract says")
}
