// Types of the control API of test services.
// Made from spec/ by `npm run generate`. Do not edit.

export type AnyJson = string | number | boolean | null | AnyJson[] | {
    [key: string]: AnyJson;
};
export interface paths {
    "/v1/server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the server
         * @description Returns the URL of the service, and the token of its initial workspace.
         */
        get: operations["retrieveServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/server/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the server
         * @description Restores the initial state, including the clock, the scripts of agents and the content of the seed, and clears the rules and
         *     the journal. Taking a snapshot with the name `start` replaces the initial state.
         */
        post: operations["resetServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/server/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Wait for pending work
         * @description Waits until the tasks, imports and events that are due have been completed.
         */
        post: operations["settleServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a workspace
         * @description Creates an empty workspace with an owner and a connection that has every capability. Workspaces are isolated from one
         *     another, so that parallel tests can each use their own.
         */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/seeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fill a workspace
         * @description Fills a workspace with people, tokens, pages, databases and agents. Either everything is created or nothing. Pages, rows and
         *     databases are created by the requests of the service, so the same checks apply; the error for an invalid seed contains its
         *     location.
         */
        post: operations["createSeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an agent
         * @description Creates and publishes an agent. All members and connections of the workspace may run and manage it. Turns without a script
         *     are executed by the service's runtime, as for every agent.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent_id}/scripts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent; `service_ai` for the personal agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Script turns
         * @description Scripts the next turns of the agent, after those that are already scripted. Tools are executed in the workspace, with the
         *     permissions of the agent and the caller.
         */
        post: operations["createAgentScripts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent_turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List turns
         * @description Lists the last thousand turns of agents, scripted or not, oldest first, with the outcome of each step.
         */
        get: operations["listAgentTurns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a snapshot
         * @description Stores all workspaces, the clock, the scripts and turns of agents and the content of the seed under a name, once pending
         *     work is completed. An earlier snapshot of the same name is replaced. The bytes of files are not copied. At most 100
         *     snapshots are stored.
         */
        post: operations["createSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/snapshots/{name}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the snapshot. */
                name: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a snapshot
         * @description Restores the state of a snapshot, any number of times. Rules and journal do not change.
         */
        post: operations["restoreSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the clock
         * @description The clock of the service.
         */
        get: operations["retrieveClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the clock
         * @description Stops the clock at a time. The response is sent when everything that is then due has been completed.
         */
        patch: operations["updateClock"];
        trace?: never;
    };
    "/v1/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the clock
         * @description Advances the clock. The response is sent when everything that is then due has been completed. Tokens, uploads, tasks and
         *     sessions expire by this clock.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rules
         * @description Lists the active rules, in the order in which they apply.
         */
        get: operations["listFaults"];
        put?: never;
        /**
         * Add a rule
         * @description Adds a rule, which selects requests and says what happens to them. An error must be one that the operation can return, and
         *     has the contract's form and message. Rules apply in the order in which they were added, until one ends the request. At most
         *     1,000 rules are stored.
         */
        post: operations["createFault"];
        /**
         * Remove all rules
         * @description Removes all rules, and returns the empty list.
         */
        delete: operations["deleteFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/faults/{fault_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the rule. */
                fault_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a rule
         * @description Removes a rule, and returns the remaining rules.
         */
        delete: operations["deleteFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fault_presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a preset
         * @description Adds the rules of a preset, which can have the same conditions as a rule.
         *
         *     | Preset | Effect | Options |
         *     |---|---|---|
         *     | `rate_limited` | the rate limit is exceeded | `retry_after` |
         *     | `overloaded` | the service is overloaded | `retry_after` |
         *     | `flaky` | every third request fails because the service is unavailable, and of the others, every fifth loses its connection | |
         *     | `slow` | responses are delayed, by default by half a second to one second | `delay`, `jitter` |
         *     | `version_sunset` | versions before `sunset`, which is required, are no longer supported | `sunset` |
         */
        post: operations["createPresetFaults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the journal
         * @description Lists the last requests to the service with their responses, oldest first. Secrets are omitted.
         */
        get: operations["listJournalEntries"];
        put?: never;
        post?: never;
        /**
         * Clear the journal
         * @description Deletes all entries, and returns the empty journal.
         */
        delete: operations["deleteJournalEntries"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journal/har": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the journal as HAR
         * @description Returns the whole journal as an HTTP Archive 1.2, the format of browsers' developer tools, under `har`.
         */
        get: operations["retrieveJournalHar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journal/seed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the journal as a seed
         * @description Returns a seed that creates what the recorded requests have created: pages and databases in their current state. Requests
         *     that a seed cannot express are listed separately.
         */
        get: operations["retrieveJournalSeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journal/examples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the journal as examples
         * @description Returns the journal as examples in the format of the contract, by name: for each operation, the first successful request
         *     with its response, and the first occurrence of each error.
         */
        get: operations["retrieveJournalExamples"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The owner of the workspace. */
        TestOwner: TestOwner;
        /** @description An isolated workspace. */
        TestWorkspace: TestWorkspace;
        /** @description A test service. */
        TestServer: TestServer;
        /**
         * @description The id of the request, unique for every request including retries. It equals the header `X-Service-Request-Id`, except in the
         *     replay of an idempotent write, which contains the id of the first request. Include it when you report a problem. It is opaque;
         *     its form may change.
         */
        RequestId: RequestId;
        /** @description The fields of every error. */
        ErrorBase: ErrorBase;
        /** @description A string, or an array of strings. */
        ErrorAdditionalValue: ErrorAdditionalValue;
        /**
         * @description Machine-readable details of the error; absent when there are none. Every value is a string or an array of strings. The
         *     descriptions of the error codes list their keys.
         */
        ErrorAdditionalData: ErrorAdditionalData;
        /**
         * @description The body is not JSON in UTF-8, is empty although its length and content type announce JSON, or has another content type. Send
         *     one JSON object with `Content-Type: application/json`. To send nothing, omit both the body and the content type.
         */
        InvalidJsonError: InvalidJsonError;
        /**
         * @description The path does not exist, does not support this method (the response then has `Allow`), or does not exist in this version. Also
         *     returned for a path with `..`, `//`, an encoded slash or invalid percent-encoding, and for a URL over 8 KiB. Checked before
         *     authentication, except for paths of other versions.
         */
        InvalidRequestUrlError: InvalidRequestUrlError;
        /**
         * Format: uuid
         * @description The id of a record: a lowercase UUID with dashes. The service creates version 4 UUIDs. Imported records may have other
         *     versions, so do not check the version.
         */
        IdResponse: IdResponse;
        /** @description Details of the invalid values. */
        ValidationErrorData: ValidationErrorData;
        /**
         * @description A value in the path, query, headers or body violates its schema or a size limit, a cursor is not valid here, a reference is of
         *     the wrong kind, or the state of the target does not allow the change (it is in the trash or locked). The message contains the
         *     location and what was expected there. Correct the request, then send it again.
         */
        ValidationError: ValidationError;
        /** @description An invalid request. */
        ControlBadRequest: ControlBadRequest;
        /**
         * @description A capability of a connection. Capabilities are set in the connection's settings; a change applies to existing tokens from the
         *     next request.
         *
         *     | Capability | Allows |
         *     |---|---|
         *     | `read_content` | reading pages, blocks, databases, data sources and views; search |
         *     | `insert_content` | creating content, without reading it in full |
         *     | `update_content` | changing content, moving it to the trash and restoring it |
         *     | `read_comments` | reading comments, receiving comment events |
         *     | `insert_comments` | creating comments, changing and deleting one's own |
         *     | `interact_with_agents` | starting agents by assigning them in people properties |
         *     | `read_user_without_email` | names and avatars of people |
         *     | `read_user_with_email` | names, avatars and email addresses of people |
         * @enum {string}
         */
        Capability: Capability;
        /** @description The missing capability, or a list of capabilities, any of which is sufficient. Absent if the reason is not a capability. */
        RequiredCapability: RequiredCapability;
        /** @description The missing capability. */
        RestrictedResourceData: RestrictedResourceData;
        /**
         * @description The token may not do this: the connection lacks a capability, the operation does not accept this kind of token, or the member
         *     has only read access. Capabilities are checked before the target is looked up, so this error does not reveal whether it
         *     exists. Other users' comments return 404 instead.
         */
        RestrictedResourceError: RestrictedResourceError;
        /**
         * @description An error inside the service, which is logged under the request id. Nothing was committed. You may repeat GET and DELETE
         *     requests, and any write with an `Idempotency-Key`.
         */
        InternalFaultError: InternalFaultError;
        /** @description A workspace to create. */
        WorkspaceRequest: WorkspaceRequest;
        /** @description A person to add to the workspace. */
        SeedPersonRequest: SeedPersonRequest;
        /** @description A token to create. */
        SeedTokenRequest: SeedTokenRequest;
        /** @description A page, or a row of a database, as in a `createPage` request, which validates all keys except those below. */
        SeedPageRequest: SeedPageRequest;
        /** @description A database, as in a `createDatabase` request, which validates all keys except those below. */
        SeedDatabaseRequest: SeedDatabaseRequest;
        /** @description A text from the agent. */
        TextStepRequest: TextStepRequest;
        /** @description A call of a read-only tool, which is executed at once. */
        ToolCallStepRequest: ToolCallStepRequest;
        /**
         * @description A call of a tool that writes. The turn waits for the approval of a person, and then continues with the next step, whatever the
         *     decision. Consecutive steps of this type are proposed together.
         */
        ApprovalStepRequest: ApprovalStepRequest;
        /** @description The turn fails. */
        ErrorStepRequest: ErrorStepRequest;
        /**
         * @description The agent uses its remaining credits, so that the turn fails with `agent_credit_limit_reached` and the agent is disabled. An
         *     agent without a limit fails with `agent_error` instead.
         */
        CreditLimitStepRequest: CreditLimitStepRequest;
        /** @description A step of a turn. */
        ScriptStepRequest: ScriptStepRequest;
        /** @description A scripted turn. It is completed after its last step, unless that step ends it in another way. */
        ScriptedTurnRequest: ScriptedTurnRequest;
        /** @description An agent to create. */
        SeedAgentRequest: SeedAgentRequest;
        /**
         * @description The content to fill a workspace with. Pages, rows and databases have the form of the requests that create them, without the
         *     parent. The test kit contains a JSON Schema for it, `contract/seed.schema.json`.
         */
        SeedRequest: SeedRequest;
        /** @description A database of a seed. */
        SeededDatabase: SeededDatabase;
        /** @description The records that a seed has created. */
        Seeded: Seeded;
        /** @description The details of the error, with the connection that needs access to the item. */
        ObjectNotFoundData: ObjectNotFoundData;
        /**
         * @description The target, or something that the body refers to, does not exist, was deleted permanently, or is not shared with the
         *     connection; the response does not distinguish between these. Also returned when updating a block in the trash, and for the id
         *     of another kind of record where a database, data source or view is expected. Check the id, then share the item with the
         *     connection.
         */
        ObjectNotFoundError: ObjectNotFoundError;
        /** @description An agent for tests. */
        TestAgent: TestAgent;
        /** @description The next turns of an agent. */
        AgentScriptsRequest: AgentScriptsRequest;
        /** @description Any JSON value. */
        JsonValue: JsonValue;
        /** @description An executed step. */
        TurnStep: TurnStep;
        /** @description A turn of an agent. */
        AgentTurn: AgentTurn;
        /** @description Turns of agents. */
        AgentTurnList: AgentTurnList;
        /** @description A snapshot to take. */
        SnapshotRequest: SnapshotRequest;
        /**
         * Format: date-time
         * @description A time in UTC with milliseconds, `YYYY-MM-DDThh:mm:ss.sssZ`. Imported records may have times rounded to whole minutes, so
         *     equal times do not determine an order. This service writes `Z`; other deployments may write `+00:00`.
         */
        Timestamp: Timestamp;
        /** @description The clock of the service. */
        Clock: Clock;
        /** @description The time at which to stop the clock. */
        ClockRequest: ClockRequest;
        /** @description A duration; its parts are added. */
        DurationRequest: DurationRequest;
        /** @description The requests that a rule applies to: those that satisfy all given conditions. */
        FaultCondition: FaultCondition;
        /** @description A rule for faults: the requests that it selects, and what happens to them. */
        FaultRule: FaultRule;
        /** @description An active rule. */
        Fault: Fault;
        /** @description The rules in force. */
        FaultList: FaultList;
        /** @description A rule to add. */
        FaultRuleRequest: FaultRuleRequest;
        /** @description A preset, with conditions. */
        PresetRequest: PresetRequest;
        /** @description The response, as far as it was sent. */
        JournalResponse: JournalResponse;
        /** @description Why a request was rejected. */
        JournalRefusal: JournalRefusal;
        /** @description A request and its response, without secrets. */
        JournalEntry: JournalEntry;
        /** @description Requests and their responses. */
        Journal: Journal;
        /** @description The journal as an HTTP archive. */
        JournalHar: JournalHar;
        /** @description A request that a seed does not include. */
        LeftOutRequest: LeftOutRequest;
        /** @description A seed made from recorded requests. */
        JournalSeed: JournalSeed;
        /** @description The body of a request or response, in the format of the contract's examples. */
        RecordedPart: RecordedPart;
        /** @description Examples of recorded requests. */
        JournalExamples: JournalExamples;
    };
    responses: {
        /** @description The server. */
        ServerResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": TestServer;
            };
        };
        /** @description The clock. */
        ClockResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": Clock;
            };
        };
        /** @description The active rules, with the newest last. */
        FaultsResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": FaultList;
            };
        };
        /** @description The request is invalid; the message contains the location. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": ControlBadRequest;
            };
        };
        /** @description The request comes from a web page, or is for another host. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": RestrictedResourceError;
            };
        };
        /** @description The name or id does not exist. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": ObjectNotFoundError;
            };
        };
        /** @description The test service failed to process the request. */
        InternalFault: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": InternalFaultError;
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type ResponseServerResult = components['responses']['ServerResult'];
export type ResponseClockResult = components['responses']['ClockResult'];
export type ResponseFaultsResult = components['responses']['FaultsResult'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseInternalFault = components['responses']['InternalFault'];
export type $defs = Record<string, never>;
export interface operations {
    retrieveServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ServerResult"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    resetServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ServerResult"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    settleServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ServerResult"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The workspace to create. */
        requestBody?: {
            content: {
                "application/json": WorkspaceRequest;
            };
        };
        responses: {
            /** @description The workspace, with its tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TestWorkspace;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    createSeed: {
        parameters: {
            query?: {
                /** @description The workspace to fill. Default: the initial workspace. */
                workspace_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The seed. */
        requestBody: {
            content: {
                "application/json": SeedRequest;
                "application/yaml": SeedRequest;
            };
        };
        responses: {
            /** @description The created records, by the names in the seed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Seeded;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalFault"];
        };
    };
    createAgent: {
        parameters: {
            query?: {
                /** @description The workspace of the agent. Default: the initial workspace. */
                workspace_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The agent. */
        requestBody: {
            content: {
                "application/json": SeedAgentRequest;
            };
        };
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TestAgent;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalFault"];
        };
    };
    createAgentScripts: {
        parameters: {
            query?: {
                /** @description The workspace of the agent. Default: the initial workspace. */
                workspace_id?: string;
            };
            header?: never;
            path: {
                /** @description The id of the agent; `service_ai` for the personal agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        /** @description The turns to script. */
        requestBody: {
            content: {
                "application/json": AgentScriptsRequest;
            };
        };
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TestAgent;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalFault"];
        };
    };
    listAgentTurns: {
        parameters: {
            query?: {
                /** @description Returns only turns of this agent. */
                agent_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The turns to script. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AgentTurnList;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    createSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The name of the snapshot. */
        requestBody: {
            content: {
                "application/json": SnapshotRequest;
            };
        };
        responses: {
            200: components["responses"]["ServerResult"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    restoreSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the snapshot. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ServerResult"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalFault"];
        };
    };
    retrieveClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ClockResult"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    updateClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The time at which to stop the clock. */
        requestBody: {
            content: {
                "application/json": ClockRequest;
            };
        };
        responses: {
            200: components["responses"]["ClockResult"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The duration; its parts are added. */
        requestBody: {
            content: {
                "application/json": DurationRequest;
            };
        };
        responses: {
            200: components["responses"]["ClockResult"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    listFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FaultsResult"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    createFault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The rule. */
        requestBody: {
            content: {
                "application/json": FaultRuleRequest;
            };
        };
        responses: {
            200: components["responses"]["FaultsResult"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    deleteFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FaultsResult"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    deleteFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the rule. */
                fault_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FaultsResult"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalFault"];
        };
    };
    createPresetFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The preset, and the requests that it applies to. */
        requestBody: {
            content: {
                "application/json": PresetRequest;
            };
        };
        responses: {
            200: components["responses"]["FaultsResult"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    listJournalEntries: {
        parameters: {
            query?: {
                /** @description Returns only requests of this operation, by its `operationId`. */
                operation?: string;
                /** @description The maximum number of entries to return. The last thousand are stored. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Journal;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    deleteJournalEntries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The empty journal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Journal;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    retrieveJournalHar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JournalHar;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    retrieveJournalSeed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The seed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JournalSeed;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    retrieveJournalExamples: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The examples. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": JournalExamples;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
}
/** @description The owner of the workspace. */
export type TestOwner = {
    /**
     * Format: uuid
     * @description The id of the person.
     */
    id: string;
    /** @description The email address. */
    email: string;
    /** @description A personal access token. */
    token: string;
};
/** @description An isolated workspace. */
export type TestWorkspace = {
    /**
     * @description The object type.
     * @constant
     */
    object: "test_workspace";
    /**
     * Format: uuid
     * @description The id of the workspace.
     */
    id: string;
    /** @description The token of a connection that has every capability and can access the whole workspace. */
    token: string;
    /**
     * Format: uuid
     * @description The id of the connection that `token` belongs to.
     */
    connection_id: string;
    /**
     * Format: uuid
     * @description The user id of the bot of that connection.
     */
    bot_id: string;
    owner: TestOwner;
};
/** @description A test service. */
export type TestServer = {
    /**
     * @description The object type.
     * @constant
     */
    object: "test_server";
    /** @description The URL of the service, without a trailing slash. */
    url: string;
    /** @description The newest version of the API, for the header `Service-Version`. */
    version: string;
    /** @description The initial workspace. */
    workspace: TestWorkspace;
    /** @description All workspaces, with the initial one first. */
    workspaces: TestWorkspace[];
    /** @description The names of the snapshots. */
    snapshots: string[];
};
/**
 * @description The id of the request, unique for every request including retries. It equals the header `X-Service-Request-Id`, except in the
 *     replay of an idempotent write, which contains the id of the first request. Include it when you report a problem. It is opaque;
 *     its form may change.
 */
export type RequestId = string;
/** @description The fields of every error. */
export type ErrorBase = {
    /**
     * @description The object type.
     * @constant
     */
    object: "error";
    /** @description The reason in words. The wording may change; programs should use `code`. Never contains a token or another secret. */
    message: string;
    request_id: RequestId;
};
/** @description A string, or an array of strings. */
export type ErrorAdditionalValue = string | string[];
/**
 * @description Machine-readable details of the error; absent when there are none. Every value is a string or an array of strings. The
 *     descriptions of the error codes list their keys.
 */
export type ErrorAdditionalData = {
    [key: string]: ErrorAdditionalValue;
};
/**
 * @description The body is not JSON in UTF-8, is empty although its length and content type announce JSON, or has another content type. Send
 *     one JSON object with `Content-Type: application/json`. To send nothing, omit both the body and the content type.
 */
export type InvalidJsonError = {
    /**
     * @description The HTTP status.
     * @constant
     */
    status: 400;
    /**
     * @description The stable code of this error.
     * @constant
     */
    code: "invalid_json";
    additional_data?: ErrorAdditionalData;
} & ErrorBase;
/**
 * @description The path does not exist, does not support this method (the response then has `Allow`), or does not exist in this version. Also
 *     returned for a path with `..`, `//`, an encoded slash or invalid percent-encoding, and for a URL over 8 KiB. Checked before
 *     authentication, except for paths of other versions.
 */
export type InvalidRequestUrlError = {
    /**
     * @description The HTTP status.
     * @constant
     */
    status: 400;
    /**
     * @description The stable code of this error.
     * @constant
     */
    code: "invalid_request_url";
    additional_data?: ErrorAdditionalData;
} & ErrorBase;
/**
 * Format: uuid
 * @description The id of a record: a lowercase UUID with dashes. The service creates version 4 UUIDs. Imported records may have other
 *     versions, so do not check the version.
 */
export type IdResponse = string;
/** @description Details of the invalid values. */
export type ValidationErrorData = {
    /** @description The locations of all problems that were found, if there is more than one. The message contains the first. */
    failed_paths?: string[];
    /**
     * @description The kind of problem. Present if a database with several data sources was used where only one is allowed; use one of
     *     `child_data_source_ids` instead.
     * @constant
     */
    error_type?: "multiple_data_sources_for_database";
    /** @description The id of the database. Present with `error_type`. */
    database_id?: IdResponse;
    /** @description The ids of the data sources of the database. Present with `error_type`. */
    child_data_source_ids?: IdResponse[];
    /**
     * Format: date
     * @description The release date that introduced data sources. Present with `error_type`.
     */
    minimum_api_version?: string;
} & {
    [key: string]: ErrorAdditionalValue;
};
/**
 * @description A value in the path, query, headers or body violates its schema or a size limit, a cursor is not valid here, a reference is of
 *     the wrong kind, or the state of the target does not allow the change (it is in the trash or locked). The message contains the
 *     location and what was expected there. Correct the request, then send it again.
 */
export type ValidationError = {
    /**
     * @description The HTTP status.
     * @constant
     */
    status: 400;
    /**
     * @description The stable code of this error.
     * @constant
     */
    code: "validation_error";
    additional_data?: ValidationErrorData;
} & ErrorBase;
/** @description An invalid request. */
export type ControlBadRequest = InvalidJsonError | InvalidRequestUrlError | ValidationError;
/**
 * @description A capability of a connection. Capabilities are set in the connection's settings; a change applies to existing tokens from the
 *     next request.
 *
 *     | Capability | Allows |
 *     |---|---|
 *     | `read_content` | reading pages, blocks, databases, data sources and views; search |
 *     | `insert_content` | creating content, without reading it in full |
 *     | `update_content` | changing content, moving it to the trash and restoring it |
 *     | `read_comments` | reading comments, receiving comment events |
 *     | `insert_comments` | creating comments, changing and deleting one's own |
 *     | `interact_with_agents` | starting agents by assigning them in people properties |
 *     | `read_user_without_email` | names and avatars of people |
 *     | `read_user_with_email` | names, avatars and email addresses of people |
 * @enum {string}
 */
export type Capability = "read_content" | "insert_content" | "update_content" | "read_comments" | "insert_comments" | "interact_with_agents" | "read_user_without_email" | "read_user_with_email";
/** @description The missing capability, or a list of capabilities, any of which is sufficient. Absent if the reason is not a capability. */
export type RequiredCapability = Capability | Capability[];
/** @description The missing capability. */
export type RestrictedResourceData = {
    required_capability?: RequiredCapability;
} & {
    [key: string]: ErrorAdditionalValue;
};
/**
 * @description The token may not do this: the connection lacks a capability, the operation does not accept this kind of token, or the member
 *     has only read access. Capabilities are checked before the target is looked up, so this error does not reveal whether it
 *     exists. Other users' comments return 404 instead.
 */
export type RestrictedResourceError = {
    /**
     * @description The HTTP status.
     * @constant
     */
    status: 403;
    /**
     * @description The stable code of this error.
     * @constant
     */
    code: "restricted_resource";
    additional_data?: RestrictedResourceData;
} & ErrorBase;
/**
 * @description An error inside the service, which is logged under the request id. Nothing was committed. You may repeat GET and DELETE
 *     requests, and any write with an `Idempotency-Key`.
 */
export type InternalFaultError = {
    /**
     * @description The HTTP status.
     * @constant
     */
    status: 500;
    /**
     * @description The stable code of this error.
     * @constant
     */
    code: "internal_server_error";
    additional_data?: ErrorAdditionalData;
} & ErrorBase;
/** @description A workspace to create. */
export type WorkspaceRequest = {
    /** @description The name. Default: `Test workspace` and a number. */
    name?: string;
};
/** @description A person to add to the workspace. */
export type SeedPersonRequest = {
    /** @description The name of the snapshot. */
    name: string;
    /** @description The email address. */
    email: string;
    /**
     * @description The role. Default: `member`.
     * @enum {string}
     */
    role?: "owner" | "member" | "restricted" | "guest";
};
/** @description A token to create. */
export type SeedTokenRequest = {
    /** @description The name. The response contains the token under this name. */
    name: string;
    /** @description The email address of the token's owner. If omitted, the token belongs to a new connection. */
    person?: string;
    /** @description The capabilities of the connection. Default: all. */
    capabilities?: string[];
    /** @description The names of the pages shared with the connection. Default: the whole workspace. */
    pages?: string[];
};
/** @description A page, or a row of a database, as in a `createPage` request, which validates all keys except those below. */
export type SeedPageRequest = {
    /** @description The name. The response contains the id under this name. */
    name?: string;
    /** @description The pages below this page. */
    pages?: SeedPageRequest[];
} & {
    [key: string]: unknown;
};
/** @description A database, as in a `createDatabase` request, which validates all keys except those below. */
export type SeedDatabaseRequest = {
    /** @description The name. The response contains the ids under this name. */
    name?: string;
    /** @description The name of the page that contains the database. */
    page: string;
    /** @description The rows to create. */
    rows?: SeedPageRequest[];
} & {
    [key: string]: unknown;
};
/** @description A text from the agent. */
export type TextStepRequest = {
    /**
     * @description The type of the step.
     * @constant
     */
    type: "text";
    /** @description The text of the agent. */
    text: string;
};
/** @description A call of a read-only tool, which is executed at once. */
export type ToolCallStepRequest = {
    /**
     * @description The type of the step.
     * @constant
     */
    type: "tool_call";
    /** @description The name of the tool: `search_workspace` or `read_page`. A call of any other tool is rejected. */
    tool: string;
    /** @description The arguments of the tool call. */
    arguments?: {
        [key: string]: unknown;
    };
};
/**
 * @description A call of a tool that writes. The turn waits for the approval of a person, and then continues with the next step, whatever the
 *     decision. Consecutive steps of this type are proposed together.
 */
export type ApprovalStepRequest = {
    /**
     * @description The type of the step.
     * @constant
     */
    type: "approval";
    /** @description The name of the tool: `create_page`, `append_blocks` or `add_comment`. A call of any other tool is rejected without asking for approval. */
    tool: string;
    /** @description The arguments of the tool call. */
    arguments?: {
        [key: string]: unknown;
    };
};
/** @description The turn fails. */
export type ErrorStepRequest = {
    /**
     * @description The type of the step.
     * @constant
     */
    type: "error";
    /**
     * @description The code of the error. Default: `agent_error`.
     * @enum {string}
     */
    code?: "agent_error" | "runtime_unavailable" | "runtime_timeout" | "runtime_unauthorized" | "tool_failed" | "output_limit";
    /** @description The message of the error. */
    message?: string;
    /** @description Whether a retry may succeed. Default: false. */
    retryable?: boolean;
};
/**
 * @description The agent uses its remaining credits, so that the turn fails with `agent_credit_limit_reached` and the agent is disabled. An
 *     agent without a limit fails with `agent_error` instead.
 */
export type CreditLimitStepRequest = {
    /**
     * @description The type of the step.
     * @constant
     */
    type: "credit_limit";
};
/** @description A step of a turn. */
export type ScriptStepRequest = TextStepRequest | ToolCallStepRequest | ApprovalStepRequest | ErrorStepRequest | CreditLimitStepRequest;
/** @description A scripted turn. It is completed after its last step, unless that step ends it in another way. */
export type ScriptedTurnRequest = {
    /** @description The steps, in order. */
    steps: ScriptStepRequest[];
};
/** @description An agent to create. */
export type SeedAgentRequest = {
    /** @description The name. The response contains the id under this name. */
    name: string;
    /** @description The purpose of the agent. */
    description?: string;
    /** @description The instructions of the agent. */
    instructions?: string;
    /**
     * @description What the agent may do with pages. Default: `editor`.
     * @enum {string}
     */
    role?: "reader" | "comment_only" | "read_and_write" | "editor";
    /** @description What the agent may access, including everything below: names of pages in the seed, or ids. Default: the whole workspace. */
    pages?: string[];
    /** @description The number of credits that the agent may use in a calendar month. */
    credits?: number;
    /** @description The first turns of the agent. */
    turns?: ScriptedTurnRequest[];
};
/**
 * @description The content to fill a workspace with. Pages, rows and databases have the form of the requests that create them, without the
 *     parent. The test kit contains a JSON Schema for it, `contract/seed.schema.json`.
 */
export type SeedRequest = {
    /** @description The people of the workspace. */
    people?: SeedPersonRequest[];
    /** @description The tokens of people and connections. */
    tokens?: SeedTokenRequest[];
    /** @description The pages at the top level of the workspace. */
    pages?: SeedPageRequest[];
    /** @description The databases, each on a page of the seed. */
    databases?: SeedDatabaseRequest[];
    /** @description The agents of the workspace. */
    agents?: SeedAgentRequest[];
};
/** @description A database of a seed. */
export type SeededDatabase = {
    /**
     * Format: uuid
     * @description The id of the database.
     */
    id: string;
    /**
     * Format: uuid
     * @description The id of its data source.
     */
    data_source_id: string;
};
/** @description The records that a seed has created. */
export type Seeded = {
    /**
     * @description The object type.
     * @constant
     */
    object: "seeded";
    /** @description The ids of pages and rows, by name. */
    pages: {
        [key: string]: string;
    };
    /** @description The databases, by name. */
    databases: {
        [key: string]: SeededDatabase;
    };
    /** @description The ids of people, by email address. */
    people: {
        [key: string]: string;
    };
    /** @description The tokens, by name. */
    tokens: {
        [key: string]: string;
    };
    /** @description The ids of agents, by name. */
    agents: {
        [key: string]: string;
    };
};
/** @description The details of the error, with the connection that needs access to the item. */
export type ObjectNotFoundData = {
    /**
     * @description The id of the calling connection, with which the item must be shared. Absent for a personal access token, which belongs to
     *     no connection.
     */
    integration_id?: IdResponse;
} & {
    [key: string]: ErrorAdditionalValue;
};
/**
 * @description The target, or something that the body refers to, does not exist, was deleted permanently, or is not shared with the
 *     connection; the response does not distinguish between these. Also returned when updating a block in the trash, and for the id
 *     of another kind of record where a database, data source or view is expected. Check the id, then share the item with the
 *     connection.
 */
export type ObjectNotFoundError = {
    /**
     * @description The HTTP status.
     * @constant
     */
    status: 404;
    /**
     * @description The stable code of this error.
     * @constant
     */
    code: "object_not_found";
    additional_data?: ObjectNotFoundData;
} & ErrorBase;
/** @description An agent for tests. */
export type TestAgent = {
    /**
     * @description The object type.
     * @constant
     */
    object: "test_agent";
    /** @description The id of the agent. */
    id: string;
    /** @description The number of remaining scripted turns. */
    scripted_turns: number;
};
/** @description The next turns of an agent. */
export type AgentScriptsRequest = {
    /** @description The turns, in order. */
    turns: ScriptedTurnRequest[];
};
/** @description Any JSON value. */
export type JsonValue = AnyJson;
/** @description An executed step. */
export type TurnStep = {
    /**
     * @description The type of the step.
     * @enum {string}
     */
    type: "text" | "tool_call" | "approval" | "error" | "credit_limit";
    /** @description The text of the agent. */
    text?: string;
    /** @description The name of the called tool. */
    tool?: string;
    /** @description The arguments of the tool call. */
    arguments?: {
        [key: string]: unknown;
    };
    /**
     * @description The decision on an approval; `null` if there is none yet, or none is required.
     * @enum {string|null}
     */
    decision?: "approve" | "reject" | null;
    /** @description Whether the call was rejected or failed. */
    is_error?: boolean;
    /** @description The result that the tool returned to the agent; `null` until then. */
    result?: JsonValue;
    /** @description The code of the error. */
    code?: string;
    /** @description The message of the error. */
    message?: string;
};
/** @description A turn of an agent. */
export type AgentTurn = {
    /**
     * @description The object type.
     * @constant
     */
    object: "agent_turn";
    /**
     * Format: uuid
     * @description The id of the agent.
     */
    agent_id: string;
    /**
     * Format: uuid
     * @description The id of the session.
     */
    session_id: string;
    /** @description The number of the turn in the session, starting at 1. */
    turn: number;
    /** @description The message that started the turn. */
    message: string;
    /** @description The names of the tools available to the agent. */
    tools: string[];
    /** @description The steps so far, in order. */
    steps: TurnStep[];
};
/** @description Turns of agents. */
export type AgentTurnList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "agent_turn";
    /** @description The turns, oldest first. */
    results: AgentTurn[];
};
/** @description A snapshot to take. */
export type SnapshotRequest = {
    /** @description The name, used to restore it. */
    name: string;
};
/**
 * Format: date-time
 * @description A time in UTC with milliseconds, `YYYY-MM-DDThh:mm:ss.sssZ`. Imported records may have times rounded to whole minutes, so
 *     equal times do not determine an order. This service writes `Z`; other deployments may write `+00:00`.
 */
export type Timestamp = string;
/** @description The clock of the service. */
export type Clock = {
    /**
     * @description The object type.
     * @constant
     */
    object: "clock";
    time: Timestamp;
    /** @description Whether the clock is stopped. Setting the clock stops it; until then, it runs with the clock of the machine. */
    is_stopped: boolean;
};
/** @description The time at which to stop the clock. */
export type ClockRequest = {
    /**
     * Format: date-time
     * @description The time, up to the year 9999.
     */
    time: string;
};
/** @description A duration; its parts are added. */
export type DurationRequest = {
    /** @description Days of 24 hours. */
    days?: number;
    /** @description Hours. */
    hours?: number;
    /** @description Minutes. */
    minutes?: number;
    /** @description Seconds. */
    seconds?: number;
    /** @description Milliseconds. */
    milliseconds?: number;
};
/** @description The requests that a rule applies to: those that satisfy all given conditions. */
export type FaultCondition = {
    /** @description The `operationId`, or several. Default: all operations that can respond in this way. */
    operation?: string | string[];
    /** @description Requests of the connection or person with this token. */
    token?: string;
    /** @description Requests with these headers; header names are case-insensitive. */
    headers?: {
        [key: string]: string;
    };
    /** @description Requests with headers that match these regular expressions (RE2 syntax). */
    header_patterns?: {
        [key: string]: string;
    };
    /** @description Only every n-th of these requests. */
    every?: number;
    /** @description The number of requests to skip first. */
    after?: number;
    /** @description The number of times that the rule applies. */
    next?: number;
};
/** @description A rule for faults: the requests that it selects, and what happens to them. */
export type FaultRule = {
    /** @description The delay in milliseconds, before anything else, by the clock of the machine. */
    delay?: number;
    /** @description The maximum random addition to the delay, in milliseconds. */
    jitter?: number;
    /** @description The code of the error to return instead of executing the request. */
    code?: string;
    /** @description The message of the error, instead of the default one. */
    message?: string;
    /** @description The seconds to wait, for errors with `Retry-After`. Default: 1. */
    retry_after?: number;
    /**
     * @description When to close the connection: before the request is executed, or after it, instead of sending the response.
     * @enum {string}
     */
    drop?: "before" | "after";
    /** @description The number of bytes of the response body or stream to send before closing the connection. */
    cut?: number;
    /** @description The first supported version. Earlier versions are rejected, as if support had ended. */
    sunset?: string;
} & FaultCondition;
/** @description An active rule. */
export type Fault = {
    /**
     * @description The object type.
     * @constant
     */
    object: "fault";
    /** @description The id of the rule, used to remove it. */
    id: string;
    rule: FaultRule;
    /** @description How often the rule has been applied. */
    acted: number;
};
/** @description The rules in force. */
export type FaultList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "fault";
    /** @description The rules, in the order in which they apply. */
    results: Fault[];
};
/** @description A rule to add. */
export type FaultRuleRequest = FaultRule;
/** @description A preset, with conditions. */
export type PresetRequest = {
    /**
     * @description The preset.
     * @enum {string}
     */
    preset: "rate_limited" | "overloaded" | "flaky" | "slow" | "version_sunset";
    /** @description The seconds in `Retry-After`. */
    retry_after?: number;
    /** @description The delay in milliseconds. */
    delay?: number;
    /** @description The maximum random addition to the delay, in milliseconds. */
    jitter?: number;
    /** @description The first supported version. */
    sunset?: string;
} & FaultCondition;
/** @description The response, as far as it was sent. */
export type JournalResponse = {
    /** @description The status; `null` if there is none yet, or the connection was closed first. */
    status: number | null;
    /** @description The headers. */
    headers: {
        [key: string]: string;
    };
    /** @description The body; a JSON body as a JSON value. */
    body: JsonValue;
    /** @description The length of the body. */
    body_bytes: number;
};
/** @description Why a request was rejected. */
export type JournalRefusal = {
    /**
     * @description What rejected the request: the check of its URL, of its caller (token, version, rate limit) or of its content, or a rule.
     * @enum {string}
     */
    check: "address" | "caller" | "content" | "fault";
    /** @description The code of the error. */
    code: string;
    /** @description The message of the error. */
    message: string;
    /** @description The invalid locations in the request, such as `body.parent.page_id`. */
    paths: string[];
};
/** @description A request and its response, without secrets. */
export type JournalEntry = {
    /**
     * @description The object type.
     * @constant
     */
    object: "journal_entry";
    /** @description The `operationId`, or the kind of any other request: `page`, `console`, `tools`, `file`, `preflight` or `unknown`. */
    operation: string;
    /** @description The method. */
    method: string;
    /** @description The path. */
    path: string;
    /** @description The query parameters. */
    query: {
        [key: string]: string;
    };
    /** @description The headers. */
    headers: {
        [key: string]: string;
    };
    /** @description The body: a JSON body as a JSON value, any other text as a string; `null` for a file and if there is no body. */
    body: JsonValue;
    /** @description The length of the body. */
    body_bytes: number;
    response: JournalResponse;
    /** @description The reason for the rejection; `null` if the request was executed. */
    refusal: JournalRefusal | null;
    /** @description The rules that were applied. */
    faults: FaultRule[];
    /** @description The id of the request. */
    request_id: string | null;
    started_time: Timestamp;
    /** @description The duration, by the clock of the machine. */
    milliseconds: number;
};
/** @description Requests and their responses. */
export type Journal = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "journal_entry";
    /** @description The entries, oldest first. */
    results: JournalEntry[];
};
/** @description The journal as an HTTP archive. */
export type JournalHar = {
    /**
     * @description The object type.
     * @constant
     */
    object: "journal_har";
    /** @description The content of a `.har` file. */
    har: {
        /** @description The log. */
        log: {
            /** @description The version of the format. */
            version: string;
            /** @description The program that wrote the archive. */
            creator: {
                /** @description The name of the program. */
                name: string;
                /** @description The version of the program. */
                version: string;
            };
            /** @description The requests, in the HTTP Archive 1.2 format. */
            entries: {
                [key: string]: unknown;
            }[];
        };
    };
};
/** @description A request that a seed does not include. */
export type LeftOutRequest = {
    /** @description The `operationId`. */
    operation: string;
    /** @description The path. */
    path: string;
    /** @description The reason. */
    reason: string;
};
/** @description A seed made from recorded requests. */
export type JournalSeed = {
    /**
     * @description The object type.
     * @constant
     */
    object: "journal_seed";
    /** @description The seed, as `createSeed` accepts it. */
    seed: {
        [key: string]: unknown;
    };
    /** @description The requests that the seed does not include. */
    left_out: LeftOutRequest[];
};
/** @description The body of a request or response, in the format of the contract's examples. */
export type RecordedPart = {
    /** @description The request or response that the body comes from. */
    summary: string;
    /** @description The body. */
    value: {
        [key: string]: unknown;
    };
};
/** @description Examples of recorded requests. */
export type JournalExamples = {
    /**
     * @description The object type.
     * @constant
     */
    object: "journal_examples";
    /** @description The examples, by name. */
    examples: {
        [key: string]: RecordedPart;
    };
};
