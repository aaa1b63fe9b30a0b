// Types of the control API.
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
         * @description Where the service listens, and the token of the workspace that it started with.
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
         * @description Everything is as it was at the start, the time, the scripts of agents and the state of the seed included; rules and journal are
         *     empty. What is kept under the name `start` counts as the start, so a snapshot of this name moves it.
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
         * Wait for what is due
         * @description Answers once tasks, imports and events under way are done, as far as they are due.
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
         * @description Makes another, empty workspace, with an owner and a connection that may do everything. Nothing in it is visible from another
         *     workspace, so tests that run side by side each take one.
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
         * @description Fills a workspace with people, tokens, pages, databases and agents: all of it or nothing. Pages, rows and databases are made by the
         *     requests of the service that make them, so everything that those check holds for them, and a mistake is answered with its
         *     place.
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
         * @description Creates an agent and publishes it. All members of the workspace and its connections may run and manage it. Turns without a
         *     script are those of the runtime inside the service, as for every agent.
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
         * @description Says what the agent does in its next turns, behind those that are scripted already. Tools run on the workspace, with
         *     the rights of the agent and of the caller.
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
         * @description The last thousand turns that agents have begun, scripted or not, oldest first, with what each step led to.
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
         * @description Keeps all workspaces, the time, scripts and turns of agents and the state of the seed under a name, in place of an earlier snapshot
         *     of this name, once what is due has been done. Bytes of files are not copied. At most 100 snapshots are kept.
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
         * @description Brings back what was kept under the name, as often as wanted. Rules and journal stay.
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
         * @description What the service takes as now.
         */
        get: operations["retrieveClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the clock
         * @description Stops the clock at a time, and answers once what is due by then is done.
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
         * @description Moves the clock on, and answers once what becomes due by that is done. Tokens, uploads, tasks and sessions expire by this clock.
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
         * @description The rules in force, in the order in which they act.
         */
        get: operations["listFaults"];
        put?: never;
        /**
         * Add a rule
         * @description A rule says which requests it is about, and what happens to them. An error is one that the operation may answer with, in the
         *     contract's form and words. Rules act in the order in which they were added, until one ends the request. At most 1,000 are kept.
         */
        post: operations["createFault"];
        /**
         * Remove all rules
         * @description From here on nothing goes wrong. The list that it answers with is empty.
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
         * @description The rule acts no more. Answers with those that are left.
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
         * @description Adds the rules of a preset, which takes the same conditions as a rule.
         *
         *     | Preset | What happens | Also takes |
         *     |---|---|---|
         *     | `rate_limited` | the budget is used up | `retry_after` |
         *     | `overloaded` | the service has too much to do | `retry_after` |
         *     | `flaky` | every third request finds the service unavailable, and of the others every fifth loses its connection | |
         *     | `slow` | answers come late, by half a second to a whole one unless told otherwise | `delay`, `jitter` |
         *     | `version_sunset` | versions before `sunset`, which is required, have ended | `sunset` |
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
         * @description The last requests that the service got, oldest first, each with its response. Secrets are omitted.
         */
        get: operations["listJournalEntries"];
        put?: never;
        post?: never;
        /**
         * Clear the journal
         * @description Forgets everything so far. The journal that it answers with is empty.
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
         * @description The whole journal in the format of browsers' tools, HTTP Archive 1.2, below `har`.
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
         * @description A seed that makes again what the requests of the journal have made: pages and databases, as they are after all changes. What a seed
         *     cannot say is listed beside it.
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
         * @description Examples for the contract in the form of its own, by their names: of each operation the first request that was executed with
         *     its response, and the first of each error.
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
        TestOwner: {
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
        /** @description A workspace that nobody else uses. */
        TestWorkspace: {
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
            /** @description The token of a connection that may do everything and sees the whole workspace. */
            token: string;
            /**
             * Format: uuid
             * @description The id of that connection.
             */
            connection_id: string;
            /**
             * Format: uuid
             * @description The id of its bot, as a user.
             */
            bot_id: string;
            owner: components["schemas"]["TestOwner"];
        };
        /** @description A service for tests. */
        TestServer: {
            /**
             * @description The object type.
             * @constant
             */
            object: "test_server";
            /** @description Where the service listens, without a slash at the end. */
            url: string;
            /** @description The newest version of its contract, for the header `Service-Version`. */
            version: string;
            /** @description The workspace that the server started with. */
            workspace: components["schemas"]["TestWorkspace"];
            /** @description All workspaces there are, that of the start first. */
            workspaces: components["schemas"]["TestWorkspace"][];
            /** @description Names of snapshots that can be restored. */
            snapshots: string[];
        };
        /**
         * @description The id of the request, unique for every request including retries. It equals the header `X-Service-Request-Id`, except in the
         *     replay of an idempotent write, which contains the id of the first request. Include it when you report a problem. It is opaque;
         *     its form may change.
         */
        RequestId: string;
        /** @description The fields of every error. */
        ErrorBase: {
            /**
             * @description The object type.
             * @constant
             */
            object: "error";
            /** @description The reason in words. The wording may change; programs should use `code`. Never contains a token or another secret. */
            message: string;
            request_id: components["schemas"]["RequestId"];
        };
        /** @description A string, or an array of strings. */
        ErrorAdditionalValue: string | string[];
        /**
         * @description Machine-readable details of the error; absent when there are none. Every value is a string or an array of strings. The
         *     descriptions of the error codes list their keys.
         */
        ErrorAdditionalData: {
            [key: string]: components["schemas"]["ErrorAdditionalValue"];
        };
        /**
         * @description The body is not JSON in UTF-8, is empty although its length and content type announce JSON, or has another content type. Send
         *     one JSON object with `Content-Type: application/json`. To send nothing, omit both the body and the content type.
         */
        InvalidJsonError: {
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
            additional_data?: components["schemas"]["ErrorAdditionalData"];
        } & components["schemas"]["ErrorBase"];
        /**
         * @description The path does not exist, does not support this method (the response then has `Allow`), or does not exist in this version. Also
         *     returned for a path with `..`, `//`, an encoded slash or invalid percent-encoding, and for a URL over 8 KiB. Checked before
         *     authentication, except for paths of other versions.
         */
        InvalidRequestUrlError: {
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
            additional_data?: components["schemas"]["ErrorAdditionalData"];
        } & components["schemas"]["ErrorBase"];
        /**
         * Format: uuid
         * @description The id of a record: a lowercase UUID with dashes. The service creates version 4 UUIDs. Imported records may have other
         *     versions, so do not check the version.
         */
        IdResponse: string;
        /** @description Details of the invalid values. */
        ValidationErrorData: {
            /** @description The locations of all problems that were found, if there is more than one. The message contains the first. */
            failed_paths?: string[];
            /**
             * @description Present if a database with several data sources was used where only one is allowed. Use one of `child_data_source_ids`
             *     instead.
             * @constant
             */
            error_type?: "multiple_data_sources_for_database";
            /** @description The id of the database. Present with `error_type`. */
            database_id?: components["schemas"]["IdResponse"];
            /** @description The ids of the data sources of the database. Present with `error_type`. */
            child_data_source_ids?: components["schemas"]["IdResponse"][];
            /**
             * Format: date
             * @description The release date that introduced data sources. Present with `error_type`.
             */
            minimum_api_version?: string;
        } & {
            [key: string]: components["schemas"]["ErrorAdditionalValue"];
        };
        /**
         * @description A value in the path, query, headers or body violates its schema or a size limit, a cursor is not valid here, a reference is of
         *     the wrong kind, or the state of the target does not allow the change (it is in the trash or locked). The message contains the
         *     location and what was expected there. Correct the request, then send it again.
         */
        ValidationError: {
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
            additional_data?: components["schemas"]["ValidationErrorData"];
        } & components["schemas"]["ErrorBase"];
        /** @description What is wrong with a request. */
        ControlBadRequest: components["schemas"]["InvalidJsonError"] | components["schemas"]["InvalidRequestUrlError"] | components["schemas"]["ValidationError"];
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
        Capability: "read_content" | "insert_content" | "update_content" | "read_comments" | "insert_comments" | "interact_with_agents" | "read_user_without_email" | "read_user_with_email";
        /** @description The missing capability, or a list of capabilities, any of which is sufficient. Absent if the reason is not a capability. */
        RequiredCapability: components["schemas"]["Capability"] | components["schemas"]["Capability"][];
        /** @description The missing capability. */
        RestrictedResourceData: {
            required_capability?: components["schemas"]["RequiredCapability"];
        } & {
            [key: string]: components["schemas"]["ErrorAdditionalValue"];
        };
        /**
         * @description The token may not do this: the connection lacks a capability, the operation does not accept this kind of token, or the member
         *     has only read access. Capabilities are checked before the target is looked up, so this error does not reveal whether it
         *     exists. Other users' comments return 404 instead.
         */
        RestrictedResourceError: {
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
            additional_data?: components["schemas"]["RestrictedResourceData"];
        } & components["schemas"]["ErrorBase"];
        /**
         * @description An error inside the service, which is logged under the request id. Nothing was committed. You may repeat GET and DELETE
         *     requests, and any write with an `Idempotency-Key`.
         */
        InternalFaultError: {
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
            additional_data?: components["schemas"]["ErrorAdditionalData"];
        } & components["schemas"]["ErrorBase"];
        /** @description A workspace to be made. */
        WorkspaceRequest: {
            /** @description Its name; `Test workspace` and a number, if omitted. */
            name?: string;
        };
        /** @description A person. */
        SeedPersonRequest: {
            /** @description The name. */
            name: string;
            /** @description The email address. */
            email: string;
            /**
             * @description `member`, if omitted.
             * @enum {string}
             */
            role?: "owner" | "member" | "restricted" | "guest";
        };
        /** @description A token. */
        SeedTokenRequest: {
            /** @description The name under which the response returns the token. */
            name: string;
            /** @description The email address of the person whose token it is; a connection of its own has it otherwise. */
            person?: string;
            /** @description What the connection may do; everything, if omitted. */
            capabilities?: string[];
            /** @description Names of the pages that are shared with the connection; the whole workspace, if omitted. */
            pages?: string[];
        };
        /** @description A page, or a row of a database, as the request `createPage` has it. All keys but those below are validated against that request. */
        SeedPageRequest: {
            /** @description The name under which the response returns its id. */
            name?: string;
            /** @description Pages on this page. */
            pages?: components["schemas"]["SeedPageRequest"][];
        } & {
            [key: string]: unknown;
        };
        /** @description A database, as the request `createDatabase` has it. All keys but those below are validated against that request. */
        SeedDatabaseRequest: {
            /** @description The name under which the response returns its ids. */
            name?: string;
            /** @description The name of the page that it stands on. */
            page: string;
            /** @description Its rows. */
            rows?: components["schemas"]["SeedPageRequest"][];
        } & {
            [key: string]: unknown;
        };
        /** @description The agent says something. */
        TextStepRequest: {
            /**
             * @description The kind of step.
             * @constant
             */
            type: "text";
            /** @description What it says. */
            text: string;
        };
        /** @description The agent calls a tool that reads, which runs at once. */
        ToolCallStepRequest: {
            /**
             * @description The kind of step.
             * @constant
             */
            type: "tool_call";
            /** @description The name: `search_workspace` or `read_page`. A call of any other is rejected. */
            tool: string;
            /** @description Its arguments. */
            arguments?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description The agent calls a tool that writes. The turn waits for the approval of a person, and then continues with the next step, whatever was
         *     decided. Steps of this kind in a row are proposed together.
         */
        ApprovalStepRequest: {
            /**
             * @description The kind of step.
             * @constant
             */
            type: "approval";
            /** @description The name: `create_page`, `append_blocks` or `add_comment`. A call of any other is rejected, without a question. */
            tool: string;
            /** @description Its arguments. */
            arguments?: {
                [key: string]: unknown;
            };
        };
        /** @description The turn fails. */
        ErrorStepRequest: {
            /**
             * @description The kind of step.
             * @constant
             */
            type: "error";
            /**
             * @description The code of the error; `agent_error`, if omitted.
             * @enum {string}
             */
            code?: "agent_error" | "runtime_unavailable" | "runtime_timeout" | "runtime_unauthorized" | "tool_failed" | "output_limit";
            /** @description The message of the error. */
            message?: string;
            /** @description Whether it is worth trying again; it is not, if omitted. */
            retryable?: boolean;
        };
        /**
         * @description The agent spends what is left of its credits, so the turn fails with `agent_credit_limit_reached`, and the agent is disabled. An agent
         *     without a limit fails with `agent_error` instead.
         */
        CreditLimitStepRequest: {
            /**
             * @description The kind of step.
             * @constant
             */
            type: "credit_limit";
        };
        /** @description A step of a turn. */
        ScriptStepRequest: components["schemas"]["TextStepRequest"] | components["schemas"]["ToolCallStepRequest"] | components["schemas"]["ApprovalStepRequest"] | components["schemas"]["ErrorStepRequest"] | components["schemas"]["CreditLimitStepRequest"];
        /** @description A turn. It is completed behind its last step, unless that ends it otherwise. */
        ScriptedTurnRequest: {
            /** @description What it does, in order. */
            steps: components["schemas"]["ScriptStepRequest"][];
        };
        /** @description An agent. */
        SeedAgentRequest: {
            /** @description Its name, under which the response to a seed returns its id. */
            name: string;
            /** @description What it is for. */
            description?: string;
            /** @description Its instructions. */
            instructions?: string;
            /**
             * @description What it may do with pages; `editor`, if omitted.
             * @enum {string}
             */
            role?: "reader" | "comment_only" | "read_and_write" | "editor";
            /** @description Names of pages of the seed, or ids: what it may use, with everything below; the whole workspace, if omitted. */
            pages?: string[];
            /** @description What it may spend in a calendar month. */
            credits?: number;
            /** @description Its first turns. */
            turns?: components["schemas"]["ScriptedTurnRequest"][];
        };
        /**
         * @description What a workspace is filled with. Pages, rows and databases are what the requests of the service take that make them, without the
         *     parent; the test kit has a JSON Schema of it, `contract/seed.schema.json`.
         */
        SeedRequest: {
            /** @description People of the workspace. */
            people?: components["schemas"]["SeedPersonRequest"][];
            /** @description Tokens, of people or of connections of their own. */
            tokens?: components["schemas"]["SeedTokenRequest"][];
            /** @description Pages at the top of the workspace. */
            pages?: components["schemas"]["SeedPageRequest"][];
            /** @description Databases, each on a page of the seed. */
            databases?: components["schemas"]["SeedDatabaseRequest"][];
            /** @description Agents of the workspace. */
            agents?: components["schemas"]["SeedAgentRequest"][];
        };
        /** @description A database of a seed. */
        SeededDatabase: {
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
        /** @description What a seed has made. */
        Seeded: {
            /**
             * @description Says what this is.
             * @constant
             */
            object: "seeded";
            /** @description Ids of pages and rows by their names. */
            pages: {
                [key: string]: string;
            };
            /** @description Databases by their names. */
            databases: {
                [key: string]: components["schemas"]["SeededDatabase"];
            };
            /** @description Ids of people by their email addresses. */
            people: {
                [key: string]: string;
            };
            /** @description Tokens by their names. */
            tokens: {
                [key: string]: string;
            };
            /** @description Ids of agents by their names. */
            agents: {
                [key: string]: string;
            };
        };
        /** @description The calling connection. */
        ObjectNotFoundData: {
            /**
             * @description The id of the calling connection, with which the item must be shared. Absent for a personal access token, which belongs to
             *     no connection.
             */
            integration_id?: components["schemas"]["IdResponse"];
        } & {
            [key: string]: components["schemas"]["ErrorAdditionalValue"];
        };
        /**
         * @description The target, or something that the body refers to, does not exist, was deleted permanently, or is not shared with the
         *     connection; the response does not distinguish between these. Also returned when updating a block in the trash, and for the id
         *     of another kind of record where a database, data source or view is expected. Check the id, then share the item with the
         *     connection.
         */
        ObjectNotFoundError: {
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
            additional_data?: components["schemas"]["ObjectNotFoundData"];
        } & components["schemas"]["ErrorBase"];
        /** @description An agent of a test. */
        TestAgent: {
            /**
             * @description The object type.
             * @constant
             */
            object: "test_agent";
            /** @description The id of the agent. */
            id: string;
            /** @description How many scripted turns are still to come. */
            scripted_turns: number;
        };
        /** @description The next turns of an agent. */
        AgentScriptsRequest: {
            /** @description The turns, in order. */
            turns: components["schemas"]["ScriptedTurnRequest"][];
        };
        /** @description Any JSON value. */
        JsonValue: AnyJson;
        /** @description A step that was taken. */
        TurnStep: {
            /**
             * @description The kind of step.
             * @enum {string}
             */
            type: "text" | "tool_call" | "approval" | "error" | "credit_limit";
            /** @description What was said. */
            text?: string;
            /** @description The tool that was called. */
            tool?: string;
            /** @description Its arguments. */
            arguments?: {
                [key: string]: unknown;
            };
            /**
             * @description The decision on an approval; `null` before there is one and where none was requested.
             * @enum {string|null}
             */
            decision?: "approve" | "reject" | null;
            /** @description Whether the call was rejected or failed. */
            is_error?: boolean;
            /** @description What the tool returned to the agent; `null` before that. */
            result?: components["schemas"]["JsonValue"];
            /** @description The code of the error. */
            code?: string;
            /** @description The message of the error. */
            message?: string;
        };
        /** @description A turn of an agent. */
        AgentTurn: {
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
             * @description The session.
             */
            session_id: string;
            /** @description Its number in the session, from 1. */
            turn: number;
            /** @description The message that it answers. */
            message: string;
            /** @description Names of the tools that it was given. */
            tools: string[];
            /** @description What it has done so far, in order. */
            steps: components["schemas"]["TurnStep"][];
        };
        /** @description Turns of agents. */
        AgentTurnList: {
            /**
             * @description The object type.
             * @constant
             */
            object: "list";
            /**
             * @description What it lists.
             * @constant
             */
            type: "agent_turn";
            /** @description The turns, oldest first. */
            results: components["schemas"]["AgentTurn"][];
        };
        /** @description A snapshot to be taken. */
        SnapshotRequest: {
            /** @description By what it is restored. */
            name: string;
        };
        /**
         * Format: date-time
         * @description A time in UTC with milliseconds, `YYYY-MM-DDThh:mm:ss.sssZ`. Imported records may have times rounded to whole minutes, so
         *     equal times do not determine an order. This service writes `Z`; other deployments may write `+00:00`.
         */
        Timestamp: string;
        /** @description What the service takes as now. */
        Clock: {
            /**
             * @description The object type.
             * @constant
             */
            object: "clock";
            time: components["schemas"]["Timestamp"];
            /** @description Whether it stands still, as it does once it has been set. Otherwise it goes with that of the machine. */
            is_stopped: boolean;
        };
        /** @description A time to stop the clock at. */
        ClockRequest: {
            /**
             * Format: date-time
             * @description The time, up to the year 9999.
             */
            time: string;
        };
        /** @description A length of time; its parts add up. */
        DurationRequest: {
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
        /** @description Which requests a rule is about: those for which everything holds that is said. */
        FaultCondition: {
            /** @description The id of an operation, or several. If omitted, all operations that can answer so. */
            operation?: string | string[];
            /** @description Of the connection, or person, with this token. */
            token?: string;
            /** @description With these headers, by their names in any case. */
            headers?: {
                [key: string]: string;
            };
            /** @description With headers in which these regular expressions, in the syntax of RE2, are found. */
            header_patterns?: {
                [key: string]: string;
            };
            /** @description Of those, only every second, third … one. */
            every?: number;
            /** @description Leaves so many of them alone first. */
            after?: number;
            /** @description Acts so many times, and then no more. */
            next?: number;
        };
        /** @description A rule. */
        FaultRule: {
            /** @description Milliseconds, by the clock of the machine, before anything else. */
            delay?: number;
            /** @description Up to so many milliseconds more. */
            jitter?: number;
            /** @description The response is the error with this code; nothing is executed. */
            code?: string;
            /** @description The message of the error instead of the usual one. */
            message?: string;
            /** @description Seconds, for errors that say when to come again; 1, if omitted. */
            retry_after?: number;
            /**
             * @description Breaks the connection: before the request is executed, or after it, instead of the response.
             * @enum {string}
             */
            drop?: "before" | "after";
            /** @description Sends so many bytes of the body of the response, or of the stream, and breaks the connection. */
            cut?: number;
            /** @description Rejects versions before this one, as a service does that has ended them. */
            sunset?: string;
        } & components["schemas"]["FaultCondition"];
        /** @description A rule in force. */
        Fault: {
            /**
             * @description The object type.
             * @constant
             */
            object: "fault";
            /** @description By what it is removed. */
            id: string;
            rule: components["schemas"]["FaultRule"];
            /** @description How often it has acted. */
            acted: number;
        };
        /** @description The rules in force. */
        FaultList: {
            /**
             * @description The object type.
             * @constant
             */
            object: "list";
            /**
             * @description What it lists.
             * @constant
             */
            type: "fault";
            /** @description The rules, in the order in which they act. */
            results: components["schemas"]["Fault"][];
        };
        /** @description A rule to be added. */
        FaultRuleRequest: components["schemas"]["FaultRule"];
        /** @description A preset, with conditions. */
        PresetRequest: {
            /**
             * @description Which preset.
             * @enum {string}
             */
            preset: "rate_limited" | "overloaded" | "flaky" | "slow" | "version_sunset";
            /** @description Seconds after which to come again. */
            retry_after?: number;
            /** @description Milliseconds. */
            delay?: number;
            /** @description Up to so many milliseconds more. */
            jitter?: number;
            /** @description The first version that is still served. */
            sunset?: string;
        } & components["schemas"]["FaultCondition"];
        /** @description The response, as far as it has gone out. */
        JournalAnswer: {
            /** @description `null` before there is one, and where the connection was broken first. */
            status: number | null;
            /** @description The headers. */
            headers: {
                [key: string]: string;
            };
            /** @description JSON as its value. */
            body: components["schemas"]["JsonValue"];
            /** @description The length of the body. */
            body_bytes: number;
        };
        /** @description Why a request was rejected. */
        JournalRefusal: {
            /**
             * @description By its address, by who sent it (token, version, budget), by what it says, or by a rule.
             * @enum {string}
             */
            check: "address" | "caller" | "content" | "fault";
            /** @description The code of the error. */
            code: string;
            /** @description Its message. */
            message: string;
            /** @description The places of the request that were wrong, such as `body.parent.page_id`. */
            paths: string[];
        };
        /** @description A request and its response, without secrets. */
        JournalEntry: {
            /**
             * @description The object type.
             * @constant
             */
            object: "journal_entry";
            /** @description The id of the operation, or what else was requested. */
            operation: string;
            /** @description The method. */
            method: string;
            /** @description The path. */
            path: string;
            /** @description The query. */
            query: {
                [key: string]: string;
            };
            /** @description The headers. */
            headers: {
                [key: string]: string;
            };
            /** @description JSON as its value, another text as it came; `null` for files, and where there is none. */
            body: components["schemas"]["JsonValue"];
            /** @description The length of the body. */
            body_bytes: number;
            answer: components["schemas"]["JournalAnswer"];
            /** @description Why it was rejected; `null` for what was executed. */
            refusal: components["schemas"]["JournalRefusal"] | null;
            /** @description The rules that acted on it. */
            faults: components["schemas"]["FaultRule"][];
            /** @description The id of the request. */
            request_id: string | null;
            started_time: components["schemas"]["Timestamp"];
            /** @description How long it took, by the clock of the machine. */
            milliseconds: number;
        };
        /** @description Requests and their answers. */
        Journal: {
            /**
             * @description The object type.
             * @constant
             */
            object: "list";
            /**
             * @description What it lists.
             * @constant
             */
            type: "journal_entry";
            /** @description The entries, oldest first. */
            results: components["schemas"]["JournalEntry"][];
        };
        /** @description The journal as an HTTP archive. */
        JournalHar: {
            /**
             * @description Says what this is.
             * @constant
             */
            object: "journal_har";
            /** @description The contents of a file with the ending `.har`. */
            har: {
                /** @description The log. */
                log: {
                    /** @description Of the format. */
                    version: string;
                    /** @description What wrote it. */
                    creator: {
                        /** @description The program. */
                        name: string;
                        /** @description Its version. */
                        version: string;
                    };
                    /** @description The requests, as HTTP Archive 1.2 has them. */
                    entries: {
                        [key: string]: unknown;
                    }[];
                };
            };
        };
        /** @description A request that a seed does not repeat. */
        LeftOutRequest: {
            /** @description The id of its operation. */
            operation: string;
            /** @description Its path. */
            path: string;
            /** @description Why. */
            reason: string;
        };
        /** @description A seed of recorded requests. */
        JournalSeed: {
            /**
             * @description Says what this is.
             * @constant
             */
            object: "journal_seed";
            /** @description The seed, as `createSeed` takes it. */
            seed: {
                [key: string]: unknown;
            };
            /** @description Requests that the seed does not repeat. */
            left_out: components["schemas"]["LeftOutRequest"][];
        };
        /** @description The body of a request or a response, as the contract writes examples. */
        RecordedPart: {
            /** @description Where it comes from. */
            summary: string;
            /** @description The body. */
            value: {
                [key: string]: unknown;
            };
        };
        /** @description Examples of recorded requests. */
        JournalExamples: {
            /**
             * @description Says what this is.
             * @constant
             */
            object: "journal_examples";
            /** @description The examples by their names. */
            examples: {
                [key: string]: components["schemas"]["RecordedPart"];
            };
        };
    };
    responses: {
        /** @description The server. */
        ServerAnswer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TestServer"];
            };
        };
        /** @description The clock. */
        ClockAnswer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Clock"];
            };
        };
        /** @description The rules in force. Those that were just added come last. */
        FaultsAnswer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FaultList"];
            };
        };
        /** @description The request is wrong as it was sent; the message names the place. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ControlBadRequest"];
            };
        };
        /** @description The request comes from a page in a browser, or asks for another host. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RestrictedResourceError"];
            };
        };
        /** @description There is nothing of this name or id. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ObjectNotFoundError"];
            };
        };
        /** @description The test service failed to handle the request. */
        InternalFault: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalFaultError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type TestOwner = components['schemas']['TestOwner'];
export type TestWorkspace = components['schemas']['TestWorkspace'];
export type TestServer = components['schemas']['TestServer'];
export type RequestId = components['schemas']['RequestId'];
export type ErrorBase = components['schemas']['ErrorBase'];
export type ErrorAdditionalValue = components['schemas']['ErrorAdditionalValue'];
export type ErrorAdditionalData = components['schemas']['ErrorAdditionalData'];
export type InvalidJsonError = components['schemas']['InvalidJsonError'];
export type InvalidRequestUrlError = components['schemas']['InvalidRequestUrlError'];
export type IdResponse = components['schemas']['IdResponse'];
export type ValidationErrorData = components['schemas']['ValidationErrorData'];
export type ValidationError = components['schemas']['ValidationError'];
export type ControlBadRequest = components['schemas']['ControlBadRequest'];
export type Capability = components['schemas']['Capability'];
export type RequiredCapability = components['schemas']['RequiredCapability'];
export type RestrictedResourceData = components['schemas']['RestrictedResourceData'];
export type RestrictedResourceError = components['schemas']['RestrictedResourceError'];
export type InternalFaultError = components['schemas']['InternalFaultError'];
export type WorkspaceRequest = components['schemas']['WorkspaceRequest'];
export type SeedPersonRequest = components['schemas']['SeedPersonRequest'];
export type SeedTokenRequest = components['schemas']['SeedTokenRequest'];
export type SeedPageRequest = components['schemas']['SeedPageRequest'];
export type SeedDatabaseRequest = components['schemas']['SeedDatabaseRequest'];
export type TextStepRequest = components['schemas']['TextStepRequest'];
export type ToolCallStepRequest = components['schemas']['ToolCallStepRequest'];
export type ApprovalStepRequest = components['schemas']['ApprovalStepRequest'];
export type ErrorStepRequest = components['schemas']['ErrorStepRequest'];
export type CreditLimitStepRequest = components['schemas']['CreditLimitStepRequest'];
export type ScriptStepRequest = components['schemas']['ScriptStepRequest'];
export type ScriptedTurnRequest = components['schemas']['ScriptedTurnRequest'];
export type SeedAgentRequest = components['schemas']['SeedAgentRequest'];
export type SeedRequest = components['schemas']['SeedRequest'];
export type SeededDatabase = components['schemas']['SeededDatabase'];
export type Seeded = components['schemas']['Seeded'];
export type ObjectNotFoundData = components['schemas']['ObjectNotFoundData'];
export type ObjectNotFoundError = components['schemas']['ObjectNotFoundError'];
export type TestAgent = components['schemas']['TestAgent'];
export type AgentScriptsRequest = components['schemas']['AgentScriptsRequest'];
export type JsonValue = components['schemas']['JsonValue'];
export type TurnStep = components['schemas']['TurnStep'];
export type AgentTurn = components['schemas']['AgentTurn'];
export type AgentTurnList = components['schemas']['AgentTurnList'];
export type SnapshotRequest = components['schemas']['SnapshotRequest'];
export type Timestamp = components['schemas']['Timestamp'];
export type Clock = components['schemas']['Clock'];
export type ClockRequest = components['schemas']['ClockRequest'];
export type DurationRequest = components['schemas']['DurationRequest'];
export type FaultCondition = components['schemas']['FaultCondition'];
export type FaultRule = components['schemas']['FaultRule'];
export type Fault = components['schemas']['Fault'];
export type FaultList = components['schemas']['FaultList'];
export type FaultRuleRequest = components['schemas']['FaultRuleRequest'];
export type PresetRequest = components['schemas']['PresetRequest'];
export type JournalAnswer = components['schemas']['JournalAnswer'];
export type JournalRefusal = components['schemas']['JournalRefusal'];
export type JournalEntry = components['schemas']['JournalEntry'];
export type Journal = components['schemas']['Journal'];
export type JournalHar = components['schemas']['JournalHar'];
export type LeftOutRequest = components['schemas']['LeftOutRequest'];
export type JournalSeed = components['schemas']['JournalSeed'];
export type RecordedPart = components['schemas']['RecordedPart'];
export type JournalExamples = components['schemas']['JournalExamples'];
export type ResponseServerAnswer = components['responses']['ServerAnswer'];
export type ResponseClockAnswer = components['responses']['ClockAnswer'];
export type ResponseFaultsAnswer = components['responses']['FaultsAnswer'];
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
            200: components["responses"]["ServerAnswer"];
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
            200: components["responses"]["ServerAnswer"];
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
            200: components["responses"]["ServerAnswer"];
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
        /** @description Its name, if that matters. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WorkspaceRequest"];
            };
        };
        responses: {
            /** @description The workspace, with its tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWorkspace"];
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
                /** @description The workspace to fill; the one that the server started with, if omitted. */
                workspace_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The seed. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SeedRequest"];
                "application/yaml": components["schemas"]["SeedRequest"];
            };
        };
        responses: {
            /** @description What the seed has made, by the names that it gives. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Seeded"];
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
                /** @description The workspace of the agent; the one that the server started with, if omitted. */
                workspace_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The agent. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SeedAgentRequest"];
            };
        };
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestAgent"];
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
                /** @description The workspace of the agent; the one that the server started with, if omitted. */
                workspace_id?: string;
            };
            header?: never;
            path: {
                /** @description The id of the agent; `service_ai` for the personal agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        /** @description The turns. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentScriptsRequest"];
            };
        };
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestAgent"];
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
                /** @description Only turns of this agent. */
                agent_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The turns. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentTurnList"];
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
        /** @description The name. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SnapshotRequest"];
            };
        };
        responses: {
            200: components["responses"]["ServerAnswer"];
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
            200: components["responses"]["ServerAnswer"];
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
            200: components["responses"]["ClockAnswer"];
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
        /** @description The time. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockRequest"];
            };
        };
        responses: {
            200: components["responses"]["ClockAnswer"];
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
        /** @description By how much; the parts add up. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DurationRequest"];
            };
        };
        responses: {
            200: components["responses"]["ClockAnswer"];
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
            200: components["responses"]["FaultsAnswer"];
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
                "application/json": components["schemas"]["FaultRuleRequest"];
            };
        };
        responses: {
            200: components["responses"]["FaultsAnswer"];
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
            200: components["responses"]["FaultsAnswer"];
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
            200: components["responses"]["FaultsAnswer"];
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
        /** @description The preset, and which requests it is about. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresetRequest"];
            };
        };
        responses: {
            200: components["responses"]["FaultsAnswer"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
    listJournalEntries: {
        parameters: {
            query?: {
                /** @description Only requests of this operation, by its id in the service's contract. */
                operation?: string;
                /** @description How many, at most. The last thousand are kept. */
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
                    "application/json": components["schemas"]["Journal"];
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
                    "application/json": components["schemas"]["Journal"];
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
                    "application/json": components["schemas"]["JournalHar"];
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
                    "application/json": components["schemas"]["JournalSeed"];
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
                    "application/json": components["schemas"]["JournalExamples"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalFault"];
        };
    };
}
