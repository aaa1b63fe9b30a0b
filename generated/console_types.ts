// Types of the API of the console.
// Made from spec/ by `npm run generate`. Do not edit.

export type AnyJson = string | number | boolean | null | AnyJson[] | {
    [key: string]: AnyJson;
};
export interface paths {
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the signed-in person
         * @description Returns the signed-in person, with the workspaces that the person belongs to and the role in each of them.
         */
        get: operations["retrieveSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the password
         * @description Sets the password of the person, and ends the sessions of all other browsers. A person who has a password must give it.
         *     Common passwords are refused, with the reason.
         */
        post: operations["updatePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/browser_sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions
         * @description Lists the browsers in which the person is signed in, this browser first, then the newest.
         */
        get: operations["listBrowserSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/browser_sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Signs a browser out, and returns the remaining sessions.
         */
        delete: operations["deleteBrowserSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace_id}/connections/{bot_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the bot through which the connection acts. */
                bot_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw a connection's access
         * @description Withdraws the access that the person gave to a connection: its tokens stop working at once, and nothing remains shared with
         *     it. Returns the remaining connections.
         */
        delete: operations["deleteAuthorizedConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the connections
         * @description Lists the connections that the person has authorized, grouped by workspace, and what each of them may do.
         */
        get: operations["listAuthorizedConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/personal_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the personal tokens
         * @description Lists the valid personal tokens of the person in all workspaces, the newest first.
         */
        get: operations["listOwnTokens"];
        put?: never;
        /**
         * Create a personal token
         * @description Creates a token that acts as the person in one workspace. Only this response contains the token: the service stores only its
         *     digest.
         */
        post: operations["createOwnToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace_id}/personal_tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the token. */
                token_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a personal token
         * @description Revokes a token, which stops working at once, and returns the remaining tokens.
         */
        delete: operations["deleteOwnToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description Lists the agents that the person may talk to, in the workspaces in which the person is an owner or member. Guests and
         *     restricted members may not use the API, and see none.
         */
        get: operations["listReachableAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent_sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description Lists the sessions that the API would show to a token of the person: those that the person started, those of the person's
         *     personal agent, and those of agents that the person has access to.
         */
        get: operations["listAgentSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace_id}/agent_sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        /**
         * Retrieve a session
         * @description Returns a session with its latest events. The page polls it until the turn has ended.
         */
        get: operations["retrieveAgentSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace_id}/agent_sessions/{session_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a turn
         * @description Cancels the current turn: one that is `queued`, `in_progress` or `requires_action`. A session that is already `canceled` is
         *     returned unchanged; one whose turn has ended fails with `conflict_error`.
         */
        post: operations["cancelAgentTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace_id}/agent_sessions/{session_id}/actions/{action_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the session. */
                session_id: string;
                /** @description The id of the action. */
                action_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or reject an action
         * @description Decides on an action that waits. When all actions of the turn are decided, the agent continues. An approved action is
         *     executed with the rights that the person then has; it needs no token. Repeating a decision changes nothing; the opposite
         *     decision fails with `conflict_error`, as does a decision on a turn that has ended.
         */
        post: operations["decideAgentAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refused_requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refused requests
         * @description Lists the latest requests to the API that the service refused, newest first. People see their own requests; owners also see
         *     those of every caller in their workspaces. A refusal appears within two seconds of its response.
         */
        get: operations["listRefusedRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refused_requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request, from the error's `request_id`. */
                request_id: string;
            };
            cookie?: never;
        };
        /**
         * Retrieve a refused request
         * @description Returns a refused request with its body, if that was stored, and a command that repeats the request.
         */
        get: operations["retrieveRefusedRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook subscriptions
         * @description Lists the webhook subscriptions of all connections of the workspaces that the person owns, newest first.
         */
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{subscription_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                subscription_id: string;
            };
            cookie?: never;
        };
        /**
         * Retrieve a webhook subscription
         * @description Returns a subscription and its deliveries: those that wait, the one that is due first at the top, then those that have
         *     ended, latest first. Ended deliveries are stored for seven days.
         */
        get: operations["retrieveWebhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Pause or resume a webhook subscription
         * @description Pauses an active subscription or resumes a paused one. Pausing drops the deliveries that wait. A resumed subscription
         *     receives events from then on only. Fails with `validation_error` before the receiver is verified.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{subscription_id}/deliveries/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                subscription_id: string;
                /** @description The id of the event, which each attempt to deliver it contains. */
                event_id: string;
            };
            cookie?: never;
        };
        /**
         * Retrieve a delivery
         * @description Returns the delivery of an event to a subscription, with the event.
         */
        get: operations["retrieveWebhookDelivery"];
        put?: never;
        /**
         * Send a delivery now
         * @description Makes a delivery due now. A waiting one keeps its number of attempts; an ended one, delivered or not, gets the attempts of a
         *     new event. The event keeps its id, by which receivers recognize repeats. The service sends it after this response. Fails
         *     with `validation_error` if the subscription is not active.
         */
        post: operations["sendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace_id}/audit_log": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
            };
            cookie?: never;
        };
        /**
         * List entries of the audit log
         * @description Lists what people, connections and the command line have changed in a workspace, newest first. Only owners of the workspace see
         *     its log. Entries are deleted after the time that the operator of the service sets.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rate_limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rate limits
         * @description Lists the rate limits of the person's own tokens. For each workspace that the person owns, it also lists the limit of the
         *     workspace and those of its connections. Reading them counts no request.
         */
        get: operations["listRateLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth_apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List OAuth apps
         * @description Lists the OAuth apps of the workspaces that the person owns, newest first.
         */
        get: operations["listOAuthApps"];
        put?: never;
        /**
         * Create an OAuth app
         * @description Creates an OAuth app in a workspace that the person owns. Only this response contains the client secret: the service stores
         *     only its digest.
         */
        post: operations["createOAuthApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth_apps/{connection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        /**
         * Retrieve an OAuth app
         * @description Returns a connection, and the latest of its authorizations in all workspaces.
         */
        get: operations["retrieveOAuthApp"];
        put?: never;
        post?: never;
        /**
         * Delete an OAuth app
         * @description Deletes a connection with all of its authorizations, in all workspaces, permanently. Its tokens and secrets stop working at once;
         *     what it has written stays. Returns the remaining connections.
         */
        delete: operations["deleteOAuthApp"];
        options?: never;
        head?: never;
        /**
         * Change the redirect URIs of an OAuth app
         * @description Replaces the redirect URIs of a connection. Authorizations that have begun with a removed URI cannot be completed; existing ones
         *     remain valid.
         */
        patch: operations["updateOAuthApp"];
        trace?: never;
    };
    "/oauth_apps/{connection_id}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the client secret of an OAuth app
         * @description Creates a client secret. The previous one remains valid for 24 hours. Only this response contains the new one.
         */
        post: operations["createOAuthAppSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth_apps/{connection_id}/authorizations/{bot_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
                /** @description The id of the bot through which the connection acts in a workspace. */
                bot_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an authorization of an OAuth app
         * @description Revokes one authorization, in any workspace: its tokens stop working at once, and nothing is shared with the connection on its
         *     behalf any longer. The person can authorize the connection again. Returns the connection.
         */
        delete: operations["deleteOAuthAppAuthorization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal_connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List internal connections
         * @description Lists the internal connections of the workspaces that the person owns, newest first.
         */
        get: operations["listInternalConnections"];
        put?: never;
        /**
         * Create an internal connection
         * @description Creates an internal connection in a workspace that the person owns. Nothing is shared with it yet. Only this response contains
         *     its token: the service stores only its digest.
         */
        post: operations["createInternalConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal_connections/{connection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        /**
         * Retrieve an internal connection
         * @description Returns a connection, and what is shared with it.
         */
        get: operations["retrieveInternalConnection"];
        put?: never;
        post?: never;
        /**
         * Delete an internal connection
         * @description Deletes a connection permanently, with its token, its shares and its webhook subscriptions. What it has written stays. Returns
         *     the remaining connections.
         */
        delete: operations["deleteInternalConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal_connections/{connection_id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the token of an internal connection
         * @description Creates a token, and revokes the previous one at once. Only this response contains the new one.
         */
        post: operations["createInternalConnectionToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal_connections/{connection_id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        /**
         * Find pages and databases to share
         * @description Finds the pages and databases of the workspace of a connection that the person may share: those to which the person has full
         *     access and that are not shared with the connection yet. Returns the first 20, last edited first.
         */
        get: operations["searchShareableItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal_connections/{connection_id}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Share a page or database with an internal connection
         * @description Shares a page or database, with everything below it, with a connection. The person needs full access to it. Returns the
         *     connection.
         */
        post: operations["createInternalConnectionShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal_connections/{connection_id}/shares/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
                /** @description The id of the page or database, or of the workspace if all of it is shared. */
                item_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Stop sharing with an internal connection
         * @description Stops sharing a page or database, or the whole workspace. Pages below it that are shared themselves stay shared. Returns the
         *     connection.
         */
        delete: operations["deleteInternalConnectionShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find pages and databases
         * @description Finds pages and databases in the workspaces that the person owns: by the words of their titles, or by a link or an id. Returns
         *     only those to which the person has full access; without words, those edited last.
         */
        get: operations["searchItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{item_id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the page or database. */
                item_id: string;
            };
            cookie?: never;
        };
        /**
         * Retrieve who has access to an item
         * @description Returns who has access to a page or database, at which level, and why. For members, the nearest rule on the item or above it
         *     decides, a rule for a person before one for everybody; without a rule, the role. Connections see what is shared with them.
         *     Groups give no access.
         */
        get: operations["retrieveItemAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{item_id}/rules/{subject}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the page or database. */
                item_id: string;
                /** @description The id of a person, or `everybody`. */
                subject: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an access rule
         * @description Removes a rule from the item itself, so that the next rule above it decides, or the role. The person who changes it needs full
         *     access, and fails with `validation_error` if the change would take that away.
         */
        delete: operations["deleteAccessRule"];
        options?: never;
        head?: never;
        /**
         * Set an access rule
         * @description Sets what a person, or everybody, may do with a page or database and everything below it. Applies from the next request. The
         *     person who changes it needs full access, and fails with `validation_error` if the change would take that away.
         */
        patch: operations["updateAccessRule"];
        trace?: never;
    };
    "/items/{item_id}/shares/{bot_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the page or database. */
                item_id: string;
                /** @description The id of the bot through which the connection acts. */
                bot_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Stop sharing an item with a connection
         * @description Stops sharing a page or database, and what is below it, with a connection. What is shared with it on its own, below or above,
         *     stays shared. The person who changes it needs full access.
         */
        delete: operations["deleteItemShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
            };
            cookie?: never;
        };
        /**
         * List the members
         * @description Lists the members of a workspace in the order in which they joined.
         */
        get: operations["listWorkspaceMembers"];
        put?: never;
        /**
         * Invite a person
         * @description Adds a person to a workspace. Only this response contains the link that signs the person in, once, within a day. A former
         *     member returns without a link, and signs in as before. Fails with `validation_error` if the address has an account elsewhere
         *     on this service, because the account may belong to other workspaces: only the operator can add it.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace_id}/members/{person_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the member. */
                person_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Removes a member from the workspace: tokens and authorizations stop working at once, and what the member wrote stays. Fails
         *     with `validation_error` if the workspace would be without an owner.
         */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description Changes the role of a member, from the next request of every token that acts for the member. Fails with
         *     `validation_error` if the workspace would be without an owner.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/workspaces/{workspace_id}/groups": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
            };
            cookie?: never;
        };
        /**
         * List the groups
         * @description Lists the groups of a workspace by name, each with its members.
         */
        get: operations["listMemberGroups"];
        put?: never;
        /**
         * Create a group
         * @description Creates an empty group.
         */
        post: operations["createMemberGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace_id}/groups/{group_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the group. */
                group_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a group
         * @description Renames a group, also where people properties contain it.
         */
        patch: operations["updateMemberGroup"];
        trace?: never;
    };
    "/workspaces/{workspace_id}/groups/{group_id}/members/{person_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the group. */
                group_id: string;
                /** @description The id of the member. */
                person_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a member to a group
         * @description Adds a member of the workspace to a group.
         */
        post: operations["createGroupMember"];
        /**
         * Remove a member from a group
         * @description Removes a member from a group. The member stays in the workspace.
         */
        delete: operations["deleteGroupMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A workspace that a person belongs to. */
        ConsoleWorkspace: ConsoleWorkspace;
        /** @description The signed-in person. */
        ConsoleSession: ConsoleSession;
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
         * @description The request has no valid credentials. The header is missing or has another scheme; the token is unknown, regenerated, revoked,
         *     expired or not a bearer token; or its workspace or connection is disabled. The message does not say which. Get a new token.
         *     Only a personal access token can work again, if its owner regains permission to use tokens.
         */
        UnauthorizedError: UnauthorizedError;
        /**
         * @description An error inside the service, which is logged under the request id. Nothing was committed. You may repeat GET and DELETE
         *     requests, and any write with an `Idempotency-Key`.
         */
        InternalFaultError: InternalFaultError;
        /** @description A change of the password. */
        PasswordRequest: PasswordRequest;
        /**
         * Format: date-time
         * @description A time in UTC with milliseconds, `YYYY-MM-DDThh:mm:ss.sssZ`. Imported records may have times rounded to whole minutes, so
         *     equal times do not determine an order. This service writes `Z`; other deployments may write `+00:00`.
         */
        Timestamp: Timestamp;
        /** @description A browser in which a person is signed in. */
        BrowserSession: BrowserSession;
        /** @description Browsers in which a person is signed in. */
        BrowserSessionList: BrowserSessionList;
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
        /** @description The rate limit that was exceeded. */
        RateLimitedData: RateLimitedData;
        /** @description A rate limit was exceeded. `Retry-After` contains the seconds to wait. The request was neither executed nor counted. */
        RateLimitedError: RateLimitedError;
        /** @description The details of the error, with the connection that needs access to the item. */
        ObjectNotFoundData: ObjectNotFoundData;
        /**
         * @description The target, or something that the body refers to, does not exist, was deleted permanently, or is not shared with the
         *     connection; the response does not distinguish between these. Also returned when updating a block in the trash, and for the id
         *     of another kind of record where a database, data source or view is expected. Check the id, then share the item with the
         *     connection.
         */
        ObjectNotFoundError: ObjectNotFoundError;
        /** @description A capability, and whether a connection has it. */
        CapabilityInWords: CapabilityInWords;
        /** @description A page or database that is shared with a connection. */
        SharedItem: SharedItem;
        /** @description A connection that a person has authorized in a workspace. */
        AuthorizedConnection: AuthorizedConnection;
        /** @description Connections that a person has authorized. */
        AuthorizedConnectionList: AuthorizedConnectionList;
        /** @description A token that acts as a person in a workspace, without its secret. */
        PersonalToken: PersonalToken;
        /** @description Personal tokens. */
        PersonalTokenList: PersonalTokenList;
        /** @description A personal token to create. */
        OwnTokenRequest: OwnTokenRequest;
        /** @description A new personal token. */
        CreatedOwnToken: CreatedOwnToken;
        /** @description A workspace, connection, agent or person, with its current name. */
        NamedParty: NamedParty;
        /** @description An agent that the person may talk to. */
        ReachableAgent: ReachableAgent;
        /** @description Agents. */
        ReachableAgentList: ReachableAgentList;
        /**
         * @description The status of a session: the status of its last turn. A session is a list of turns; each turn starts with a message of the
         *     user.
         *
         *     | Status | Meaning | Next status |
         *     |---|---|---|
         *     | `queued` | the turn waits to be started, at most 300 seconds | `in_progress` when the agent starts it |
         *     | `in_progress` | the agent is working, at most 600 seconds | `completed`, `requires_action` or `failed` |
         *     | `requires_action` | the agent waits for decisions on its `required_actions`, at most 24 hours | `in_progress` when all are decided |
         *     | `completed` | the turn has completed | `queued` with a new message |
         *     | `failed` | the turn ended with an error, see `error` | `queued` with a new message |
         *     | `canceled` | the turn was canceled | `queued` with a new message |
         *     | `terminated` | the service ended the session, see `error` | none |
         *
         *     A turn becomes `failed` because of an error, one of these time limits, or a lack of credits. It becomes `terminated` if the
         *     agent was disabled or deleted, the session's creator has lost access, or the operator stopped it.
         * @enum {string}
         */
        SessionStatus: SessionStatus;
        /** @description A change that an agent proposes. It is made only after a person has approved it. */
        AgentAction: AgentAction;
        /** @description A conversation with an agent, or a run of one of its triggers. */
        AgentSession: AgentSession;
        /** @description Sessions of agents. */
        AgentSessionList: AgentSessionList;
        /**
         * @description The type of an event.
         * @enum {string}
         */
        SessionEventType: SessionEventType;
        /**
         * @description The statuses of a turn that has stopped, permanently or until a decision.
         * @enum {string}
         */
        StoppedSessionStatus: StoppedSessionStatus;
        /** @description An event of a session. The arguments and results of tool calls are never returned. */
        AgentSessionEvent: AgentSessionEvent;
        /** @description A session and its latest events. */
        AgentSessionDetails: AgentSessionDetails;
        /**
         * @description The request conflicts with a concurrent edit, an outdated `expected_version`, a running request with the same idempotency key
         *     (the response then has `Retry-After`), or a part of a file that could not be stored. Read the current state before you decide
         *     what to do. With `Retry-After`, repeat the request after that time.
         */
        ConflictError: ConflictError;
        /**
         * @description Whether to execute the action (`approve`) or not (`reject`).
         * @enum {string}
         */
        ActionOptionId: ActionOptionId;
        /** @description A decision on an action. */
        AgentDecisionRequest: AgentDecisionRequest;
        /** @description A request to the API that the service refused. */
        RefusedRequest: RefusedRequest;
        /** @description Refused requests. */
        RefusedRequestList: RefusedRequestList;
        /** @description A refused request with its body. */
        RefusedRequestDetails: RefusedRequestDetails;
        /** @description The last request that sent the verification token to the receiver; null until it has ended. */
        WebhookVerification: WebhookVerification;
        /** @description A webhook subscription, without its token. */
        Webhook: Webhook;
        /** @description Webhook subscriptions. */
        WebhookList: WebhookList;
        /** @description The record that an event is about; null if the stored event is damaged. */
        WebhookEntity: WebhookEntity;
        /** @description The delivery of an event to a subscription. */
        WebhookDelivery: WebhookDelivery;
        /** @description A webhook subscription and its latest deliveries. */
        WebhookDetails: WebhookDetails;
        /** @description A change of the status of a subscription. */
        WebhookStatusRequest: WebhookStatusRequest;
        /** @description A delivery with its event. */
        WebhookDeliveryDetails: WebhookDeliveryDetails;
        /** @description Who made a change. */
        AuditActor: AuditActor;
        /** @description What was changed; null for a change of no single object. */
        AuditTarget: AuditTarget;
        /** @description A change that somebody made. */
        AuditEntry: AuditEntry;
        /** @description Entries of the audit log. */
        AuditEntryList: AuditEntryList;
        /** @description A limit of requests in a window of time. */
        RateLimitUse: RateLimitUse;
        /** @description Rate limits. */
        RateLimitList: RateLimitList;
        /** @description A connection that people authorize through OAuth, without its secrets. */
        OAuthApp: OAuthApp;
        /** @description OAuth apps. */
        OAuthAppList: OAuthAppList;
        /**
         * @description The addresses to which the service may send people back after they have decided: absolute, with `https`, or with `http` on a
         *     loopback address, without a fragment. Requests must repeat one of them exactly.
         */
        RedirectUris: RedirectUris;
        /** @description What the connection may do. */
        CapabilitiesRequest: CapabilitiesRequest;
        /** @description An OAuth app to create. */
        OAuthAppRequest: OAuthAppRequest;
        /** @description A new client secret of an OAuth app. */
        OAuthAppSecret: OAuthAppSecret;
        /** @description The authorization of an OAuth app by a person in a workspace. */
        OAuthAppAuthorization: OAuthAppAuthorization;
        /** @description An OAuth app and its authorizations. */
        OAuthAppDetails: OAuthAppDetails;
        /** @description The redirect URIs of an OAuth app. */
        RedirectUrisRequest: RedirectUrisRequest;
        /** @description A connection of one workspace, without its token. */
        InternalConnection: InternalConnection;
        /** @description Internal connections. */
        InternalConnectionList: InternalConnectionList;
        /** @description An internal connection to create. */
        InternalConnectionRequest: InternalConnectionRequest;
        /** @description A new token of an internal connection. */
        InternalConnectionToken: InternalConnectionToken;
        /** @description An internal connection, and what is shared with it. */
        InternalConnectionDetails: InternalConnectionDetails;
        /** @description A page or database that the person may share. */
        ShareableItem: ShareableItem;
        /** @description Pages and databases that the person may share. */
        ShareableItemList: ShareableItemList;
        /** @description A page or database to share. */
        ConnectionShareRequest: ConnectionShareRequest;
        /** @description A page or database that was found. */
        FoundItem: FoundItem;
        /** @description Pages and databases. */
        FoundItemList: FoundItemList;
        /** @description A page or database. */
        AccessibleItem: AccessibleItem;
        /**
         * @description `none`; `read`; `edit`: also changing content; `full`: also sharing and connecting.
         * @enum {string}
         */
        AccessLevel: AccessLevel;
        /** @description A rule on the item or on one above it. It applies to everything below, until a nearer rule. */
        AccessRule: AccessRule;
        /** @description The access of a person. */
        PersonAccess: PersonAccess;
        /** @description A share with a connection, which lets it see the item. */
        ConnectionAccess: ConnectionAccess;
        /** @description Who has access to a page or database, and why. */
        ItemAccess: ItemAccess;
        /** @description A rule to set. */
        AccessRuleRequest: AccessRuleRequest;
        /** @description A member of a workspace. */
        WorkspaceMember: WorkspaceMember;
        /** @description The members of a workspace. */
        MemberList: MemberList;
        /** @description A person to invite. */
        InvitationRequest: InvitationRequest;
        /** @description The members after an invitation, with the link for the new one. */
        Invitation: Invitation;
        /** @description A new role. */
        MemberRoleRequest: MemberRoleRequest;
        /** @description A group of members, which people properties can contain. Groups give no access to pages. */
        MemberGroup: MemberGroup;
        /** @description The groups of a workspace. */
        GroupList: GroupList;
        /** @description The settings of a group. */
        GroupRequest: GroupRequest;
    };
    responses: {
        /** @description The connections that the person has authorized. */
        AuthorizedConnectionsResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": AuthorizedConnectionList;
            };
        };
        /** @description The valid personal tokens of the person. */
        PersonalTokensResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": PersonalTokenList;
            };
        };
        /** @description The browsers in which the person is signed in. */
        BrowserSessionsResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": BrowserSessionList;
            };
        };
        /** @description The session. */
        AgentSessionResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": AgentSessionDetails;
            };
        };
        /** @description The subscription. */
        WebhookResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": WebhookDetails;
            };
        };
        /** @description The delivery. */
        WebhookDeliveryResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": WebhookDeliveryDetails;
            };
        };
        /** @description The OAuth apps. */
        OAuthAppsResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": OAuthAppList;
            };
        };
        /** @description The connection. */
        OAuthAppResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": OAuthAppDetails;
            };
        };
        /** @description The new client secret, and the connection. */
        OAuthAppSecretResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": OAuthAppSecret;
            };
        };
        /** @description The internal connections. */
        InternalConnectionsResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": InternalConnectionList;
            };
        };
        /** @description The connection, and what is shared with it. */
        InternalConnectionResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": InternalConnectionDetails;
            };
        };
        /** @description The new token, and the connection. */
        InternalConnectionTokenResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": InternalConnectionToken;
            };
        };
        /** @description Who has access to the item, and why. */
        ItemAccessResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": ItemAccess;
            };
        };
        /** @description The members of the workspace. */
        MembersResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": MemberList;
            };
        };
        /** @description The groups of the workspace. */
        GroupsResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": GroupList;
            };
        };
        /** @description The request is invalid; the message contains the location. */
        BadConsoleRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": ControlBadRequest;
            };
        };
        /** @description Nobody is signed in with this browser. */
        SignedOut: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": UnauthorizedError;
            };
        };
        /** @description The `X-CSRF-Token` is missing or wrong, or the role of the person does not allow the request. */
        NotPermitted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": RestrictedResourceError;
            };
        };
        /** @description The record does not exist, or the person may not see it. */
        NothingThere: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": ObjectNotFoundError;
            };
        };
        /** @description The state of the record does not allow the change. */
        NotInThisState: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": ConflictError;
            };
        };
        /** @description Too many attempts with a wrong password. */
        TooManyAttempts: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": RateLimitedError;
            };
        };
        /** @description The service failed to process the request. */
        ConsoleFault: {
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
export type ResponseAuthorizedConnectionsResult = components['responses']['AuthorizedConnectionsResult'];
export type ResponsePersonalTokensResult = components['responses']['PersonalTokensResult'];
export type ResponseBrowserSessionsResult = components['responses']['BrowserSessionsResult'];
export type ResponseAgentSessionResult = components['responses']['AgentSessionResult'];
export type ResponseWebhookResult = components['responses']['WebhookResult'];
export type ResponseWebhookDeliveryResult = components['responses']['WebhookDeliveryResult'];
export type ResponseOAuthAppsResult = components['responses']['OAuthAppsResult'];
export type ResponseOAuthAppResult = components['responses']['OAuthAppResult'];
export type ResponseOAuthAppSecretResult = components['responses']['OAuthAppSecretResult'];
export type ResponseInternalConnectionsResult = components['responses']['InternalConnectionsResult'];
export type ResponseInternalConnectionResult = components['responses']['InternalConnectionResult'];
export type ResponseInternalConnectionTokenResult = components['responses']['InternalConnectionTokenResult'];
export type ResponseItemAccessResult = components['responses']['ItemAccessResult'];
export type ResponseMembersResult = components['responses']['MembersResult'];
export type ResponseGroupsResult = components['responses']['GroupsResult'];
export type ResponseBadConsoleRequest = components['responses']['BadConsoleRequest'];
export type ResponseSignedOut = components['responses']['SignedOut'];
export type ResponseNotPermitted = components['responses']['NotPermitted'];
export type ResponseNothingThere = components['responses']['NothingThere'];
export type ResponseNotInThisState = components['responses']['NotInThisState'];
export type ResponseTooManyAttempts = components['responses']['TooManyAttempts'];
export type ResponseConsoleFault = components['responses']['ConsoleFault'];
export type $defs = Record<string, never>;
export interface operations {
    retrieveSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signed-in person. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ConsoleSession;
                };
            };
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    updatePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The new password, and the current one if the account has one. */
        requestBody: {
            content: {
                "application/json": PasswordRequest;
            };
        };
        responses: {
            200: components["responses"]["BrowserSessionsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    listBrowserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BrowserSessionsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    deleteBrowserSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BrowserSessionsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    deleteAuthorizedConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the bot through which the connection acts. */
                bot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuthorizedConnectionsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    listAuthorizedConnections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuthorizedConnectionsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    listOwnTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PersonalTokensResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    createOwnToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The settings of the token. */
        requestBody: {
            content: {
                "application/json": OwnTokenRequest;
            };
        };
        responses: {
            /** @description The token, and its settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CreatedOwnToken;
                };
            };
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    deleteOwnToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the token. */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PersonalTokensResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    listReachableAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ReachableAgentList;
                };
            };
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    listAgentSessions: {
        parameters: {
            query?: {
                /** @description Returns only sessions of this workspace. */
                workspace_id?: string;
                /** @description Returns only sessions of this agent. */
                agent_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AgentSessionList;
                };
            };
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    retrieveAgentSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AgentSessionResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    cancelAgentTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the session. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AgentSessionResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            409: components["responses"]["NotInThisState"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    decideAgentAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the session. */
                session_id: string;
                /** @description The id of the action. */
                action_id: string;
            };
            cookie?: never;
        };
        /** @description The decision. */
        requestBody: {
            content: {
                "application/json": AgentDecisionRequest;
            };
        };
        responses: {
            200: components["responses"]["AgentSessionResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            409: components["responses"]["NotInThisState"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    listRefusedRequests: {
        parameters: {
            query?: {
                /** @description Returns only requests with this status. */
                status?: number;
                /** @description Returns only requests to this operation. */
                operation?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refused requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RefusedRequestList;
                };
            };
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    retrieveRefusedRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request, from the error's `request_id`. */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refused request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RefusedRequestDetails;
                };
            };
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscriptions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookList;
                };
            };
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    retrieveWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                subscription_id: string;
            };
            cookie?: never;
        };
        /** @description The new status. */
        requestBody: {
            content: {
                "application/json": WebhookStatusRequest;
            };
        };
        responses: {
            200: components["responses"]["WebhookResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    retrieveWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                subscription_id: string;
                /** @description The id of the event, which each attempt to deliver it contains. */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookDeliveryResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    sendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                subscription_id: string;
                /** @description The id of the event, which each attempt to deliver it contains. */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookDeliveryResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Returns only entries from this time on. */
                since?: string;
                /** @description Returns only acts of this person, bot or connection, or of the command line. */
                actor?: string | "command_line";
                /** @description Returns only entries with this action. */
                action?: string;
                /** @description Returns only changes of the object with this id, with or without dashes. */
                object_id?: string;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
            };
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
                    "application/json": AuditEntryList;
                };
            };
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    listRateLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rate limits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RateLimitList;
                };
            };
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    listOAuthApps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OAuthAppsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    createOAuthApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The settings of the connection. */
        requestBody: {
            content: {
                "application/json": OAuthAppRequest;
            };
        };
        responses: {
            200: components["responses"]["OAuthAppSecretResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    retrieveOAuthApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OAuthAppResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    deleteOAuthApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OAuthAppsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    updateOAuthApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        /** @description The new redirect URIs. */
        requestBody: {
            content: {
                "application/json": RedirectUrisRequest;
            };
        };
        responses: {
            200: components["responses"]["OAuthAppResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    createOAuthAppSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OAuthAppSecretResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    deleteOAuthAppAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
                /** @description The id of the bot through which the connection acts in a workspace. */
                bot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OAuthAppResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    listInternalConnections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InternalConnectionsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    createInternalConnection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The settings of the connection. */
        requestBody: {
            content: {
                "application/json": InternalConnectionRequest;
            };
        };
        responses: {
            200: components["responses"]["InternalConnectionTokenResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    retrieveInternalConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InternalConnectionResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    deleteInternalConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InternalConnectionsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    createInternalConnectionToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InternalConnectionTokenResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    searchShareableItems: {
        parameters: {
            query?: {
                /** @description Words of a title; without any, all match. */
                text?: string;
            };
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pages and databases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ShareableItemList;
                };
            };
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    createInternalConnectionShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
            };
            cookie?: never;
        };
        /** @description What to share. */
        requestBody: {
            content: {
                "application/json": ConnectionShareRequest;
            };
        };
        responses: {
            200: components["responses"]["InternalConnectionResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    deleteInternalConnectionShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection. */
                connection_id: string;
                /** @description The id of the page or database, or of the workspace if all of it is shared. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["InternalConnectionResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    searchItems: {
        parameters: {
            query?: {
                /** @description Words of a title, a link, or an id. */
                text?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pages and databases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": FoundItemList;
                };
            };
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    retrieveItemAccess: {
        parameters: {
            query?: {
                /** @description Lists only people whose name or email address contains this text. */
                name?: string;
            };
            header?: never;
            path: {
                /** @description The id of the page or database. */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ItemAccessResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    deleteAccessRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the page or database. */
                item_id: string;
                /** @description The id of a person, or `everybody`. */
                subject: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ItemAccessResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    updateAccessRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the page or database. */
                item_id: string;
                /** @description The id of a person, or `everybody`. */
                subject: string;
            };
            cookie?: never;
        };
        /** @description The level. */
        requestBody: {
            content: {
                "application/json": AccessRuleRequest;
            };
        };
        responses: {
            200: components["responses"]["ItemAccessResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    deleteItemShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the page or database. */
                item_id: string;
                /** @description The id of the bot through which the connection acts. */
                bot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ItemAccessResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    listWorkspaceMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MembersResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
            };
            cookie?: never;
        };
        /** @description The person. */
        requestBody: {
            content: {
                "application/json": InvitationRequest;
            };
        };
        responses: {
            /** @description The members, and the link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Invitation;
                };
            };
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the member. */
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MembersResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the member. */
                person_id: string;
            };
            cookie?: never;
        };
        /** @description The new role. */
        requestBody: {
            content: {
                "application/json": MemberRoleRequest;
            };
        };
        responses: {
            200: components["responses"]["MembersResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    listMemberGroups: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GroupsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    createMemberGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
            };
            cookie?: never;
        };
        /** @description The name. */
        requestBody: {
            content: {
                "application/json": GroupRequest;
            };
        };
        responses: {
            200: components["responses"]["GroupsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    updateMemberGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the group. */
                group_id: string;
            };
            cookie?: never;
        };
        /** @description The new name. */
        requestBody: {
            content: {
                "application/json": GroupRequest;
            };
        };
        responses: {
            200: components["responses"]["GroupsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    createGroupMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the group. */
                group_id: string;
                /** @description The id of the member. */
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GroupsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
    deleteGroupMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                workspace_id: string;
                /** @description The id of the group. */
                group_id: string;
                /** @description The id of the member. */
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GroupsResult"];
            400: components["responses"]["BadConsoleRequest"];
            401: components["responses"]["SignedOut"];
            403: components["responses"]["NotPermitted"];
            404: components["responses"]["NothingThere"];
            500: components["responses"]["ConsoleFault"];
        };
    };
}
/** @description A workspace that a person belongs to. */
export type ConsoleWorkspace = {
    /**
     * Format: uuid
     * @description The id of the workspace.
     */
    id: string;
    /** @description The name of the workspace. */
    name: string | null;
    /**
     * @description The role of the person.
     * @enum {string}
     */
    role: "owner" | "member" | "restricted" | "guest";
    /** @description Whether the policy of the workspace allows the person to have personal tokens. */
    may_hold_tokens: boolean;
};
/** @description The signed-in person. */
export type ConsoleSession = {
    /**
     * @description The object type.
     * @constant
     */
    object: "console_session";
    /**
     * Format: uuid
     * @description The id of the person, which is the user id in every workspace.
     */
    person_id: string;
    /** @description The email address of the account. */
    email: string;
    /** @description Whether the account has a password. Without one, sign-in links are the only way in. */
    has_password: boolean;
    /** @description The value to send as `X-CSRF-Token`. */
    csrf_token: string;
    /** @description The workspaces of the person, sorted by name. */
    workspaces: ConsoleWorkspace[];
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
 * @description The request has no valid credentials. The header is missing or has another scheme; the token is unknown, regenerated, revoked,
 *     expired or not a bearer token; or its workspace or connection is disabled. The message does not say which. Get a new token.
 *     Only a personal access token can work again, if its owner regains permission to use tokens.
 */
export type UnauthorizedError = {
    /**
     * @description The HTTP status.
     * @constant
     */
    status: 401;
    /**
     * @description The stable code of this error.
     * @constant
     */
    code: "unauthorized";
    additional_data?: ErrorAdditionalData;
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
/** @description A change of the password. */
export type PasswordRequest = {
    /** @description The current password; required if the account has one. */
    current_password?: string;
    /** @description The new password. */
    new_password: string;
};
/**
 * Format: date-time
 * @description A time in UTC with milliseconds, `YYYY-MM-DDThh:mm:ss.sssZ`. Imported records may have times rounded to whole minutes, so
 *     equal times do not determine an order. This service writes `Z`; other deployments may write `+00:00`.
 */
export type Timestamp = string;
/** @description A browser in which a person is signed in. */
export type BrowserSession = {
    /**
     * @description The object type.
     * @constant
     */
    object: "browser_session";
    /** @description The id of the session, used to end it. */
    id: string;
    /** @description Whether this browser sent the request. */
    is_current: boolean;
    /** @description How the browser described itself when the person signed in; `null` if it did not. */
    user_agent: string | null;
    created_time: Timestamp;
    expires_time: Timestamp;
};
/** @description Browsers in which a person is signed in. */
export type BrowserSessionList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "browser_session";
    /** @description Browsers in which a person is signed in. */
    results: BrowserSession[];
};
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
/** @description The rate limit that was exceeded. */
export type RateLimitedData = {
    /**
     * @description Which rate limit was exceeded:
     *
     *     - `public_api_request_rate_limit`: the rate limit of the connection's bot in this workspace, shared by all its tokens, or
     *       of the member for a personal access token; by default 180 requests in 60 seconds
     *     - `public_api_space_request_rate_limit`: the rate limit of the workspace; by default 1,800 requests in 60 seconds
     *     - `oauth_client_rate_limit`: the rate limit of the client on the OAuth endpoints; 60 requests in 60 seconds
     *     - `authentication_attempts`: 100 failed authentications from the client address in 60 seconds
     * @enum {string}
     */
    rate_limit_reason: "public_api_request_rate_limit" | "public_api_space_request_rate_limit" | "oauth_client_rate_limit" | "authentication_attempts";
} & {
    [key: string]: ErrorAdditionalValue;
};
/** @description A rate limit was exceeded. `Retry-After` contains the seconds to wait. The request was neither executed nor counted. */
export type RateLimitedError = {
    /**
     * @description The HTTP status.
     * @constant
     */
    status: 429;
    /**
     * @description The stable code of this error.
     * @constant
     */
    code: "rate_limited";
    additional_data: RateLimitedData;
} & ErrorBase;
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
/** @description A capability, and whether a connection has it. */
export type CapabilityInWords = {
    /** @description What the connection may do with the capability, or cannot do without it. */
    words: string;
    /** @description Whether the connection has the capability. */
    is_given: boolean;
};
/** @description A page or database that is shared with a connection. */
export type SharedItem = {
    /**
     * Format: uuid
     * @description The id of the page or database.
     */
    id: string;
    /** @description The title of the page or database. */
    title: string;
    /** @description The icon of the page or database, if it is an emoji; otherwise `null`. */
    icon: string | null;
};
/** @description A connection that a person has authorized in a workspace. */
export type AuthorizedConnection = {
    /**
     * @description The object type.
     * @constant
     */
    object: "authorized_connection";
    /**
     * Format: uuid
     * @description The id of the bot through which the connection acts.
     */
    bot_id: string;
    /**
     * Format: uuid
     * @description The id of the workspace.
     */
    workspace_id: string;
    /** @description The name of the workspace. */
    workspace_name: string | null;
    /** @description The name of the connection. */
    name: string;
    /** @description The icon of the connection as a `data:` URL; `null` if there is none in this form. */
    icon_url: string | null;
    /** @description The name of the developer, as entered by the developer. */
    developer_name: string | null;
    /** @description What the connection may do, in the words of the consent page. */
    capabilities: CapabilityInWords[];
    authorized_time: Timestamp;
    /** @description Whether the whole workspace is shared with the connection. */
    sees_workspace: boolean;
    /** @description The number of pages and databases that are shared with the connection. Each includes everything below it. */
    shared_count: number;
    /** @description The first of the shared pages and databases that the person can see. */
    shared: SharedItem[];
};
/** @description Connections that a person has authorized. */
export type AuthorizedConnectionList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "authorized_connection";
    /** @description Connections that a person has authorized. */
    results: AuthorizedConnection[];
};
/** @description A token that acts as a person in a workspace, without its secret. */
export type PersonalToken = {
    /**
     * @description The object type.
     * @constant
     */
    object: "personal_token";
    /**
     * Format: uuid
     * @description The id of the token, used to revoke it.
     */
    id: string;
    /**
     * Format: uuid
     * @description The id of the workspace.
     */
    workspace_id: string;
    /** @description The name of the workspace. */
    workspace_name: string | null;
    /** @description The name by which the person recognizes the token. */
    name: string | null;
    created_time: Timestamp;
    expires_time: Timestamp;
};
/** @description Personal tokens. */
export type PersonalTokenList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "personal_token";
    /** @description Personal tokens. */
    results: PersonalToken[];
};
/** @description A personal token to create. */
export type OwnTokenRequest = {
    /**
     * Format: uuid
     * @description The id of the workspace.
     */
    workspace_id: string;
    /** @description The name by which the person recognizes the token. */
    name: string;
    /**
     * @description The lifetime of the token in days.
     * @enum {integer}
     */
    days: 7 | 30 | 90 | 180 | 365;
};
/** @description A new personal token. */
export type CreatedOwnToken = {
    /**
     * @description The object type.
     * @constant
     */
    object: "created_personal_token";
    /** @description The secret. It cannot be retrieved again. */
    token: string;
    /** @description A curl command that tries the token. */
    command: string;
    personal_token: PersonalToken;
};
/** @description A workspace, connection, agent or person, with its current name. */
export type NamedParty = {
    /**
     * Format: uuid
     * @description The id.
     */
    id: string;
    /** @description The name; null if there is none or the record is gone. */
    name: string | null;
} | null;
/** @description An agent that the person may talk to. */
export type ReachableAgent = {
    /**
     * @description The object type.
     * @constant
     */
    object: "reachable_agent";
    /**
     * Format: uuid
     * @description The id of the agent. The personal agent has the same id everywhere.
     */
    id: string;
    /** @description The workspace of the agent. */
    workspace: NamedParty;
    /** @description The name of the agent. */
    name: string;
    /** @description The purpose of the agent; null if there is no description. */
    description: string | null;
    /**
     * @description Whether the agent accepts messages and its triggers fire.
     * @enum {string}
     */
    status: "active" | "disabled";
    /** @description Why the agent is disabled, such as `credit_limit`; null while it is active. */
    pause_reason: string | null;
    /** @description When a turn of the agent last started; null if it has never run, or the person may not edit it. */
    last_run_time: Timestamp | null;
};
/** @description Agents. */
export type ReachableAgentList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "reachable_agent";
    /** @description The agents of each workspace, newest first, with the personal agent last. */
    results: ReachableAgent[];
    /** @description Whether there are more agents. */
    has_more: boolean;
};
/**
 * @description The status of a session: the status of its last turn. A session is a list of turns; each turn starts with a message of the
 *     user.
 *
 *     | Status | Meaning | Next status |
 *     |---|---|---|
 *     | `queued` | the turn waits to be started, at most 300 seconds | `in_progress` when the agent starts it |
 *     | `in_progress` | the agent is working, at most 600 seconds | `completed`, `requires_action` or `failed` |
 *     | `requires_action` | the agent waits for decisions on its `required_actions`, at most 24 hours | `in_progress` when all are decided |
 *     | `completed` | the turn has completed | `queued` with a new message |
 *     | `failed` | the turn ended with an error, see `error` | `queued` with a new message |
 *     | `canceled` | the turn was canceled | `queued` with a new message |
 *     | `terminated` | the service ended the session, see `error` | none |
 *
 *     A turn becomes `failed` because of an error, one of these time limits, or a lack of credits. It becomes `terminated` if the
 *     agent was disabled or deleted, the session's creator has lost access, or the operator stopped it.
 * @enum {string}
 */
export type SessionStatus = "queued" | "in_progress" | "requires_action" | "completed" | "failed" | "canceled" | "terminated";
/** @description A change that an agent proposes. It is made only after a person has approved it. */
export type AgentAction = {
    /**
     * Format: uuid
     * @description The id of the action.
     */
    id: string;
    /** @description What the action would do, with the title of its target. */
    title: string;
};
/** @description A conversation with an agent, or a run of one of its triggers. */
export type AgentSession = {
    /**
     * @description The object type.
     * @constant
     */
    object: "agent_session";
    /**
     * Format: uuid
     * @description The id of the session.
     */
    id: string;
    /** @description The first line of the first message. */
    title: string;
    status: SessionStatus;
    /** @description The agent. */
    agent: NamedParty;
    /** @description The workspace of the session. */
    workspace: NamedParty;
    /** @description The person or bot that started the session. */
    started_by: NamedParty;
    /** @description The type of the trigger that started the session, or `chat`. */
    trigger_type: string;
    created_time: Timestamp;
    updated_time: Timestamp;
    /** @description The actions that wait for a decision; empty unless the status is `requires_action`. */
    actions: AgentAction[];
    /** @description Why the turn ended; null unless the status is `failed` or `terminated`. */
    error: string | null;
};
/** @description Sessions of agents. */
export type AgentSessionList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "agent_session";
    /** @description The sessions whose turn has not ended, then the others, each last changed first. */
    results: AgentSession[];
    /** @description Whether there are more sessions. */
    has_more: boolean;
};
/**
 * @description The type of an event.
 * @enum {string}
 */
export type SessionEventType = "user.message" | "agent.message" | "agent.thinking" | "agent.tool_use" | "agent.tool_result" | "session.status";
/**
 * @description The statuses of a turn that has stopped, permanently or until a decision.
 * @enum {string}
 */
export type StoppedSessionStatus = "requires_action" | "completed" | "failed" | "canceled" | "terminated";
/** @description An event of a session. The arguments and results of tool calls are never returned. */
export type AgentSessionEvent = {
    /** @description The id of the event. */
    id: string;
    type: SessionEventType;
    created_time: Timestamp;
    /** @description Who wrote the message; null for other events and for the text of a trigger. */
    author: NamedParty;
    /** @description The text of a message or thought, or the error at which a turn ended; otherwise null. */
    text: string | null;
    /** @description The names of the files of a message. */
    files: string[];
    /** @description The name of the tool of a tool call or its result; otherwise null. */
    tool: string | null;
    /** @description Whether a tool call failed. */
    is_error: boolean;
    /** @description The status at which a turn stopped; null for other events. */
    status: StoppedSessionStatus | null;
};
/** @description A session and its latest events. */
export type AgentSessionDetails = {
    /**
     * @description The object type.
     * @constant
     */
    object: "agent_session_details";
    session: AgentSession;
    /** @description The latest events, oldest first. */
    events: AgentSessionEvent[];
    /** @description Whether there are earlier events. */
    has_more: boolean;
};
/**
 * @description The request conflicts with a concurrent edit, an outdated `expected_version`, a running request with the same idempotency key
 *     (the response then has `Retry-After`), or a part of a file that could not be stored. Read the current state before you decide
 *     what to do. With `Retry-After`, repeat the request after that time.
 */
export type ConflictError = {
    /**
     * @description The HTTP status.
     * @constant
     */
    status: 409;
    /**
     * @description The stable code of this error.
     * @constant
     */
    code: "conflict_error";
    additional_data?: ErrorAdditionalData;
} & ErrorBase;
/**
 * @description Whether to execute the action (`approve`) or not (`reject`).
 * @enum {string}
 */
export type ActionOptionId = "approve" | "reject";
/** @description A decision on an action. */
export type AgentDecisionRequest = {
    option: ActionOptionId;
};
/** @description A request to the API that the service refused. */
export type RefusedRequest = {
    /**
     * @description The object type.
     * @constant
     */
    object: "refused_request";
    /**
     * Format: uuid
     * @description The id of the request, as in the error that its caller got.
     */
    request_id: string;
    time: Timestamp;
    /** @description The status of the response. */
    status: number;
    /** @description The error code. */
    code: string;
    /** @description The HTTP method; empty if the request was not HTTP. */
    method: string;
    /** @description The path, without the query. */
    path: string;
    /** @description The `operationId`, or `unknown` if the path belongs to no operation. */
    operation: string;
    /** @description The path of the operation in the reference site; null if the request has none. */
    reference: string | null;
    /** @description The workspace of the caller; null if unknown. */
    workspace: NamedParty;
    /** @description The connection that called; null for a personal token. */
    connection: NamedParty;
    /** @description The person for whom it called; null for a connection of its own. */
    member: NamedParty;
    /** @description The message of the error; null for the request of another person, because it can quote the body. */
    message: string | null;
    /** @description The invalid parts of the request, such as `body.parent.page_id`. */
    locations: string[];
};
/** @description Refused requests. */
export type RefusedRequestList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "refused_request";
    /** @description The refused requests, newest first. */
    results: RefusedRequest[];
    /** @description Whether older requests match. */
    has_more: boolean;
};
/** @description A refused request with its body. */
export type RefusedRequestDetails = {
    /**
     * @description The object type.
     * @constant
     */
    object: "refused_request_details";
    refused_request: RefusedRequest;
    /**
     * @description Whether `body` is shown. `not_stored`: the request had none, it was too long, or the operator does not store bodies.
     *     `of_another_person`: only the person who sent it sees it.
     * @enum {string}
     */
    body_state: "shown" | "not_stored" | "of_another_person";
    /** @description The body, without secrets; null unless it is shown. */
    body: unknown;
    /** @description A curl command that repeats the request with the token in `$TOKEN`. The command lacks the query, which is not stored. */
    command: string;
};
/** @description The last request that sent the verification token to the receiver; null until it has ended. */
export type WebhookVerification = {
    time: Timestamp;
    /** @description The status of the response; null if there was none. */
    status: number | null;
    /** @description Why the request failed; null if the receiver acknowledged it. */
    error: string | null;
} | null;
/** @description A webhook subscription, without its token. */
export type Webhook = {
    /**
     * @description The object type.
     * @constant
     */
    object: "webhook";
    /**
     * Format: uuid
     * @description The id of the subscription.
     */
    id: string;
    /** @description The name that the connection gave to the subscription. */
    name: string | null;
    /** @description The address of the receiver. */
    url: string;
    /** @description The connection that created the subscription. */
    connection: NamedParty;
    /** @description The workspace to which the connection belongs. */
    workspace: NamedParty;
    /** @description The types of the events that the subscription receives. */
    event_types: string[];
    /** @description The release date of the API, which determines the form of the events. */
    api_version: string;
    /**
     * @description Only active subscriptions receive events.
     * @enum {string}
     */
    status: "pending_verification" | "active" | "paused";
    /**
     * @description `requested` by the connection or an owner, or `delivery_failures` for a week; null unless it is paused.
     * @enum {string|null}
     */
    pause_reason: "requested" | "delivery_failures" | null;
    created_time: Timestamp;
    /** @description The first failed attempt since the last successful one; null if the last attempt succeeded. */
    failing_since: Timestamp | null;
    last_verification: WebhookVerification;
};
/** @description Webhook subscriptions. */
export type WebhookList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "webhook";
    /** @description The subscriptions, newest first. */
    results: Webhook[];
    /** @description Whether there are older subscriptions. */
    has_more: boolean;
};
/** @description The record that an event is about; null if the stored event is damaged. */
export type WebhookEntity = {
    /**
     * Format: uuid
     * @description The id of the record.
     */
    id: string;
    /** @description The type of the record, such as `page`. */
    type: string;
} | null;
/** @description The delivery of an event to a subscription. */
export type WebhookDelivery = {
    /**
     * @description The object type.
     * @constant
     */
    object: "webhook_delivery";
    /**
     * Format: uuid
     * @description The id of the event.
     */
    event_id: string;
    /** @description The type of the event, such as `page.created`. */
    event_type: string;
    entity: WebhookEntity;
    created_time: Timestamp;
    /**
     * @description `given_up`: the last attempt failed, or the connection may no longer see the entity.
     * @enum {string}
     */
    state: "waiting" | "delivered" | "given_up";
    /** @description The number of attempts so far. */
    attempts: number;
    /** @description When the last attempt ended; null before the first attempt. */
    attempt_time: Timestamp | null;
    /** @description The status of the last response; null if there was none. */
    status: number | null;
    /** @description Why the last attempt failed; null if it did not fail. */
    error: string | null;
    /** @description The time of the next attempt; null if the delivery has ended. */
    due_time: Timestamp | null;
    /** @description When the delivery ended; null while it is waiting. */
    ended_time: Timestamp | null;
};
/** @description A webhook subscription and its latest deliveries. */
export type WebhookDetails = {
    /**
     * @description The object type.
     * @constant
     */
    object: "webhook_details";
    webhook: Webhook;
    /** @description The number of deliveries that wait for their next attempt. */
    waiting_count: number;
    /** @description At most 50 waiting deliveries, then those that have ended, latest first. */
    deliveries: WebhookDelivery[];
    /** @description Whether there are more deliveries. */
    has_more: boolean;
};
/** @description A change of the status of a subscription. */
export type WebhookStatusRequest = {
    /**
     * @description The new status.
     * @enum {string}
     */
    status: "active" | "paused";
};
/** @description A delivery with its event. */
export type WebhookDeliveryDetails = {
    /**
     * @description The object type.
     * @constant
     */
    object: "webhook_delivery_details";
    webhook: Webhook;
    delivery: WebhookDelivery;
    /**
     * @description The event as it is stored; null if it is damaged. Each attempt adds its `attempt_number` and, for public connections,
     *     `accessible_by`.
     */
    event: {
        [key: string]: unknown;
    } | null;
};
/** @description Who made a change. */
export type AuditActor = {
    /**
     * @description The kind of actor.
     * @enum {string}
     */
    type: "person" | "bot" | "command_line";
    /**
     * Format: uuid
     * @description The id; null for the command line.
     */
    id: string | null;
    /** @description The current name; null if there is none. */
    name: string | null;
};
/** @description What was changed; null for a change of no single object. */
export type AuditTarget = {
    /** @description The kind of object, such as `page` or `user`. */
    type: string;
    /**
     * Format: uuid
     * @description The id; null if it has none.
     */
    id: string | null;
    /** @description The name that it had at that time; null for content. */
    name: string | null;
} | null;
/** @description A change that somebody made. */
export type AuditEntry = {
    /**
     * @description The object type.
     * @constant
     */
    object: "audit_entry";
    time: Timestamp;
    actor: AuditActor;
    /** @description The `operationId`, a command of the command line (`user create`), or an act in the console (`password.changed`). */
    action: string;
    target: AuditTarget;
    /**
     * Format: uuid
     * @description The id of the request; null for the command line.
     */
    request_id: string | null;
    /** @description The client address; null for the command line. */
    address: string | null;
};
/** @description Entries of the audit log. */
export type AuditEntryList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "audit_entry";
    /** @description The entries, newest first. */
    results: AuditEntry[];
    /** @description The cursor of the next page; null on the last one. */
    next_cursor: string | null;
};
/** @description A limit of requests in a window of time. */
export type RateLimitUse = {
    /**
     * @description The object type.
     * @constant
     */
    object: "rate_limit";
    /**
     * @description Whose requests it limits.
     * @enum {string}
     */
    kind: "person" | "workspace" | "connection";
    /**
     * Format: uuid
     * @description The id of the person, the workspace, or the bot of the connection.
     */
    id: string;
    /** @description The name of the person, the workspace or the connection. */
    name: string | null;
    /**
     * Format: uuid
     * @description The id of the workspace; null for a person, whose limit applies to all workspaces together.
     */
    workspace_id: string | null;
    /** @description The maximum number of requests in a window. */
    limit: number;
    /** @description The requests counted in the current window. */
    used: number;
    /** @description The length of a window. */
    window_seconds: number;
    /** @description The seconds until the current window ends. */
    reset_seconds: number;
};
/** @description Rate limits. */
export type RateLimitList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "rate_limit";
    /** @description Whether the service limits requests. If the operator has switched the limits off, `results` is empty. */
    is_enforced: boolean;
    /** @description The rate limits: first those of the person, then those of each workspace with its newest 100 connections. */
    results: RateLimitUse[];
};
/** @description A connection that people authorize through OAuth, without its secrets. */
export type OAuthApp = {
    /**
     * @description The object type.
     * @constant
     */
    object: "oauth_app";
    /**
     * Format: uuid
     * @description The id of the connection.
     */
    id: string;
    /** @description The workspace to which the connection belongs. */
    workspace: NamedParty;
    /** @description The name that people see when they authorize the connection. */
    name: string;
    /** @description The client id. */
    client_id: string;
    /** @description The addresses to which the service may send people back after they have decided. */
    redirect_uris: string[];
    /** @description What the connection may do, in the words of the consent page. */
    capabilities: CapabilityInWords[];
    /** @description The address that the connection opens to ask for an authorization, with its first redirect URI. */
    authorization_url: string;
    /** @description Whether the operator has not disabled the connection. */
    is_enabled: boolean;
    created_time: Timestamp;
};
/** @description OAuth apps. */
export type OAuthAppList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "oauth_app";
    /** @description The connections, newest first. */
    results: OAuthApp[];
    /** @description Whether there are older connections. */
    has_more: boolean;
};
/**
 * @description The addresses to which the service may send people back after they have decided: absolute, with `https`, or with `http` on a
 *     loopback address, without a fragment. Requests must repeat one of them exactly.
 */
export type RedirectUris = string[];
/** @description What the connection may do. */
export type CapabilitiesRequest = Capability[];
/** @description An OAuth app to create. */
export type OAuthAppRequest = {
    /**
     * Format: uuid
     * @description The id of the workspace to which the connection belongs.
     */
    workspace_id: string;
    /** @description The name that people see when they authorize the connection. */
    name: string;
    redirect_uris: RedirectUris;
    capabilities: CapabilitiesRequest;
};
/** @description A new client secret of an OAuth app. */
export type OAuthAppSecret = {
    /**
     * @description The object type.
     * @constant
     */
    object: "oauth_app_secret";
    /** @description The secret. It cannot be retrieved again. */
    client_secret: string;
    oauth_app: OAuthApp;
};
/** @description The authorization of an OAuth app by a person in a workspace. */
export type OAuthAppAuthorization = {
    /**
     * @description The object type.
     * @constant
     */
    object: "oauth_app_authorization";
    /**
     * Format: uuid
     * @description The id of the bot through which the connection acts.
     */
    bot_id: string;
    /** @description The workspace in which the connection was authorized. */
    workspace: NamedParty;
    /** @description The person who authorized the connection; null in a workspace that the caller does not own. */
    person: NamedParty;
    authorized_time: Timestamp;
};
/** @description An OAuth app and its authorizations. */
export type OAuthAppDetails = {
    /**
     * @description The object type.
     * @constant
     */
    object: "oauth_app_details";
    oauth_app: OAuthApp;
    /** @description The authorizations, newest first. */
    authorizations: OAuthAppAuthorization[];
    /** @description Whether there are older authorizations. */
    has_more: boolean;
};
/** @description The redirect URIs of an OAuth app. */
export type RedirectUrisRequest = {
    redirect_uris: RedirectUris;
};
/** @description A connection of one workspace, without its token. */
export type InternalConnection = {
    /**
     * @description The object type.
     * @constant
     */
    object: "internal_connection";
    /**
     * Format: uuid
     * @description The id of the connection.
     */
    id: string;
    /** @description The workspace to which the connection belongs. */
    workspace: NamedParty;
    /** @description The name of the connection and of its bot. */
    name: string;
    /** @description What the connection may do, in the words of the consent page. */
    capabilities: CapabilityInWords[];
    /** @description Whether the operator has not disabled the connection. */
    is_enabled: boolean;
    created_time: Timestamp;
};
/** @description Internal connections. */
export type InternalConnectionList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "internal_connection";
    /** @description The connections, newest first. */
    results: InternalConnection[];
    /** @description Whether there are older connections. */
    has_more: boolean;
};
/** @description An internal connection to create. */
export type InternalConnectionRequest = {
    /**
     * Format: uuid
     * @description The id of the workspace to which the connection belongs.
     */
    workspace_id: string;
    /** @description The name of the connection and of its bot. */
    name: string;
    capabilities: CapabilitiesRequest;
};
/** @description A new token of an internal connection. */
export type InternalConnectionToken = {
    /**
     * @description The object type.
     * @constant
     */
    object: "internal_connection_token";
    /** @description The secret. It cannot be retrieved again. */
    token: string;
    /** @description A curl command that tries the token. */
    command: string;
    connection: InternalConnection;
};
/** @description An internal connection, and what is shared with it. */
export type InternalConnectionDetails = {
    /**
     * @description The object type.
     * @constant
     */
    object: "internal_connection_details";
    connection: InternalConnection;
    /** @description Whether the whole workspace is shared with the connection. */
    sees_workspace: boolean;
    /** @description The first of the shared pages and databases to which the person has full access, in the order in which they were shared. */
    shared: SharedItem[];
    /** @description The number of other shared pages and databases. */
    other_count: number;
};
/** @description A page or database that the person may share. */
export type ShareableItem = {
    /**
     * @description The object type.
     * @constant
     */
    object: "shareable_item";
    /**
     * Format: uuid
     * @description The id of the page or database.
     */
    id: string;
    /**
     * @description Whether it is a page or a database.
     * @enum {string}
     */
    kind: "page" | "database";
    /** @description The title. */
    title: string;
    /** @description The icon, if it is an emoji; otherwise `null`. */
    icon: string | null;
    /** @description The title of the page that contains it; null if there is none that the person sees. */
    container: string | null;
};
/** @description Pages and databases that the person may share. */
export type ShareableItemList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "shareable_item";
    /** @description The pages and databases, last edited first. */
    results: ShareableItem[];
    /** @description Whether others match. */
    has_more: boolean;
};
/** @description A page or database to share. */
export type ConnectionShareRequest = {
    /**
     * Format: uuid
     * @description The id of the page or database.
     */
    item_id: string;
};
/** @description A page or database that was found. */
export type FoundItem = {
    /**
     * @description The object type.
     * @constant
     */
    object: "found_item";
    /**
     * Format: uuid
     * @description The id of the page or database.
     */
    id: string;
    /**
     * @description Whether it is a page or a database.
     * @enum {string}
     */
    kind: "page" | "database";
    /** @description The title. */
    title: string;
    /** @description The icon, if it is an emoji; otherwise `null`. */
    icon: string | null;
    /** @description The title of the page that contains it; null if there is none that the person sees. */
    container: string | null;
    /** @description The workspace to which it belongs. */
    workspace: NamedParty;
};
/** @description Pages and databases. */
export type FoundItemList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "found_item";
    /** @description The pages and databases, last edited first. */
    results: FoundItem[];
    /** @description Whether others match. */
    has_more: boolean;
};
/** @description A page or database. */
export type AccessibleItem = {
    /**
     * Format: uuid
     * @description The id of the page or database.
     */
    id: string;
    /** @description The title; null if the person may not see the page or database. */
    title: string | null;
};
/**
 * @description `none`; `read`; `edit`: also changing content; `full`: also sharing and connecting.
 * @enum {string}
 */
export type AccessLevel = "none" | "read" | "edit" | "full";
/** @description A rule on the item or on one above it. It applies to everything below, until a nearer rule. */
export type AccessRule = {
    /**
     * @description The object type.
     * @constant
     */
    object: "access_rule";
    /** @description The page or database with the rule. */
    item: AccessibleItem;
    /** @description Whether the rule is on the item itself. */
    is_own: boolean;
    /** @description The id of the person; `everybody` for all members. */
    subject: string;
    /** @description The name of the person; null for everybody. */
    name: string | null;
    /** @description Whether the person has left the workspace. */
    has_left: boolean;
    level: AccessLevel;
};
/** @description The access of a person. */
export type PersonAccess = {
    /**
     * @description The object type.
     * @constant
     */
    object: "person_access";
    /**
     * Format: uuid
     * @description The id of the person.
     */
    id: string;
    /** @description The name of the person. */
    name: string | null;
    /** @description The email address of the person. */
    email: string | null;
    /**
     * @description The role in the workspace.
     * @enum {string}
     */
    role: "owner" | "member" | "restricted" | "guest";
    level: AccessLevel;
    /**
     * @description What decides: a rule for the person, a rule for everybody, or the role.
     * @enum {string}
     */
    reason: "rule_for_person" | "rule_for_everybody" | "role";
    /** @description The page or database with the deciding rule; null if the role decides. */
    item: AccessibleItem | null;
};
/** @description A share with a connection, which lets it see the item. */
export type ConnectionAccess = {
    /**
     * @description The object type.
     * @constant
     */
    object: "connection_access";
    /**
     * Format: uuid
     * @description The id of the bot through which the connection acts.
     */
    bot_id: string;
    /** @description The name of the connection. */
    name: string | null;
    /** @description The person who authorized the connection; null for an internal connection. */
    person: NamedParty;
    /** @description Whether the connection is enabled; a disabled one sees nothing. */
    is_enabled: boolean;
    /** @description Whether it may read content. */
    may_read: boolean;
    /** @description Whether it may insert or change content. */
    may_write: boolean;
    /** @description The page or database that is shared with it; null if the whole workspace is. */
    item: AccessibleItem | null;
    /** @description Whether the item itself is shared. */
    is_own: boolean;
};
/** @description Who has access to a page or database, and why. */
export type ItemAccess = {
    /**
     * @description The object type.
     * @constant
     */
    object: "item_access";
    item: AccessibleItem;
    /**
     * @description Whether it is a page or a database.
     * @enum {string}
     */
    kind: "page" | "database";
    /** @description The workspace to which it belongs. */
    workspace: NamedParty;
    /** @description Whether the person has full access, and may change who sees it. */
    may_change: boolean;
    /** @description The rules on the item, then those on each item above it. */
    rules: AccessRule[];
    /** @description The members whose name matches, those with a rule of their own first. */
    people: PersonAccess[];
    /** @description The number of members who have access. */
    people_count: number;
    /** @description Whether other members match. */
    has_more_people: boolean;
    /** @description The shares with connections, nearest first. */
    connections: ConnectionAccess[];
    /** @description Whether there are more shares. */
    has_more_connections: boolean;
};
/** @description A rule to set. */
export type AccessRuleRequest = {
    level: AccessLevel;
};
/** @description A member of a workspace. */
export type WorkspaceMember = {
    /**
     * @description The object type.
     * @constant
     */
    object: "workspace_member";
    /**
     * Format: uuid
     * @description The id of the person.
     */
    id: string;
    /** @description The name of the person. */
    name: string | null;
    /** @description The email address of the person. */
    email: string | null;
    /**
     * @description The role in the workspace.
     * @enum {string}
     */
    role: "owner" | "member" | "restricted" | "guest";
    /** @description When the person last signed in with a browser; null if that was more than twelve hours ago, or never. */
    last_sign_in_time: Timestamp | null;
    /** @description Whether the workspace has no other owner, so that the person can neither leave nor get another role. */
    is_last_owner: boolean;
};
/** @description The members of a workspace. */
export type MemberList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "workspace_member";
    /** @description The members, in the order in which they joined. */
    results: WorkspaceMember[];
};
/** @description A person to invite. */
export type InvitationRequest = {
    /** @description The email address with which the person signs in. */
    email: string;
    /** @description The name that other members see. */
    name: string;
    /**
     * @description The role in the workspace.
     * @enum {string}
     */
    role: "owner" | "member" | "restricted" | "guest";
};
/** @description The members after an invitation, with the link for the new one. */
export type Invitation = {
    /**
     * @description The object type.
     * @constant
     */
    object: "invitation";
    members: MemberList;
    /** @description The email address of the invited person. */
    email: string;
    /** @description The link that signs the person in, once; null for a former member. */
    sign_in_url: string | null;
    /** @description When the link expires; null without a link. */
    expires_time: Timestamp | null;
};
/** @description A new role. */
export type MemberRoleRequest = {
    /**
     * @description The role.
     * @enum {string}
     */
    role: "owner" | "member" | "restricted" | "guest";
};
/** @description A group of members, which people properties can contain. Groups give no access to pages. */
export type MemberGroup = {
    /**
     * @description The object type.
     * @constant
     */
    object: "member_group";
    /**
     * Format: uuid
     * @description The id of the group.
     */
    id: string;
    /** @description The name of the group. */
    name: string;
    /** @description Whether its members may hold personal tokens where the workspace limits them to groups. */
    gives_tokens: boolean;
    /** @description The members. */
    members: NamedParty[];
};
/** @description The groups of a workspace. */
export type GroupList = {
    /**
     * @description The object type.
     * @constant
     */
    object: "list";
    /**
     * @description The type of the items.
     * @constant
     */
    type: "member_group";
    /** @description The groups, by name. */
    results: MemberGroup[];
};
/** @description The settings of a group. */
export type GroupRequest = {
    /** @description The name of the group. */
    name: string;
};
