import { faultsIn, type Fault } from '../fault.ts'

/** Limits: bodies, rate limits, the order of checks, and cleanup of abandoned work. */
export const limits: readonly Fault[] = [
  ...faultsIn(
    'http/admission.ts',
    ['limits/once/half_sent_bodies.test.ts', 'limits/admission.test.ts'],
    [
      [
        'a request whose body has arrived is worked on whether there is a free slot or not',
        '    if (!admitted.isFinished) this.#acquireSlot(admitted)\n',
        '',
      ],
      [
        'a request holds its slot while its body arrives',
        '    if (admitted.caller !== undefined) this.#releaseSlot(admitted)\n',
        '',
      ],
      [
        'a caller that disconnects keeps its slot',
        '    admitted.isFinished = true\n    this.#releaseSlot(admitted)\n',
        '    admitted.isFinished = true\n    if (!response.destroyed) this.#releaseSlot(admitted)\n',
      ],
    ],
  ),
  ...faultsIn(
    'http/admission.ts',
    ['oauth/strangers.test.ts'],
    [
      [
        'unauthenticated callers get one slot more than their share',
        'if (this.#unauthenticated.size >= countMax) throw this.#overload()',
        'if (this.#unauthenticated.size > countMax) throw this.#overload()',
      ],
      ['unauthenticated requests count for ever', '    this.#unauthenticated.delete(response)\n', ''],
    ],
  ),
  ...faultsIn(
    'http/evicting_pool.ts',
    ['limits/once/half_sent_bodies.test.ts', 'limits/once/unread_responses.test.ts'],
    [
      [
        'many callers of one address hold all the room for bodies',
        '    else if (ofAddress > atLeastOne(countMax * ADDRESS_SHARE))\n      this.#evictHeaviest(one, ({ address }) => address === entry.address)\n',
        '',
      ],
      ['bytes of bodies that have ended count on', '    this.#bytesHeld -= entry.bytesHeld\n', ''],
      ['bodies that have ended count on against their address', '    count(this.#ofAddress, entry.address, -1)\n', ''],
      [
        'the newest body is given up, not the oldest',
        'candidates.reduce((left, right) => (weigh(right) > weigh(left) ? right : left)).evict()',
        'candidates.reduce((left, right) => (weigh(right) >= weigh(left) ? right : left)).evict()',
      ],
    ],
  ),
  ...faultsIn(
    'http/transfer_rate_monitor.ts',
    ['limits/once/half_sent_bodies.test.ts'],
    [['the bytes of a body give it no more time', 'graceSeconds + transfer.bytesMoved() / bytesPerSecondMin', 'graceSeconds']],
  ),
  ...faultsIn(
    'http/charset.ts',
    ['protocol/once/urls_and_bodies.test.ts', 'operations/file_uploads/sendFileUpload.names_and_charsets.test.ts'],
    [
      [
        'of several charsets one has to be UTF-8',
        'return charsetsOf(contentType).every((charset)',
        "return contentType.includes(';') === false || charsetsOf(contentType).length === 0 || charsetsOf(contentType).some((charset)",
      ],
    ],
  ),
  ...faultsIn(
    'kernel/is_deeper_than.ts',
    ['protocol/once/urls_and_bodies.test.ts', 'limits/once/sizes.test.ts'],
    [
      ['a body of 64 levels is too deep', 'if (levels === 0) return true', 'if (levels <= 1) return true'],
      [
        'lists do not count as levels',
        'if (isDeeperThan(child, levels - 1)) return true',
        'if (isDeeperThan(child, Array.isArray(child) ? levels : levels - 1)) return true',
      ],
    ],
  ),
  ...faultsIn(
    'http/json_body.ts',
    ['protocol/once/urls_and_bodies.test.ts', 'limits/once/sizes.test.ts'],
    [['a body without its length is none', "return coding !== undefined || length !== '0'", "return length !== '0'"]],
  ),
  ...faultsIn(
    'http/multipart_form.ts',
    ['operations/file_uploads/sendFileUpload.test.ts', 'operations/file_uploads/sendFileUpload.names_and_charsets.test.ts'],
    [
      ['a form may have 17 parts', 'if (this.#work.length >= PARTS_MAX) fail(', 'if (this.#work.length > PARTS_MAX) fail('],
      [
        'the last of two parts of one name counts',
        "    if (this.#names.has(name)) throw invalid(`body.${name}`, 'should be sent once')\n",
        '',
      ],
      ['a field of 1,024 bytes is too long', 'if (length > FIELD_BYTES_MAX) throw', 'if (length >= FIELD_BYTES_MAX) throw'],
      ['the path on the disk of the sender stays in the name of a file', 'filename.split(/[\\\\/]/)', "filename.split('/')"],
    ],
  ),
  ...faultsIn(
    'http/multipart_form.ts',
    [
      'protocol/idempotency.test.ts',
      'protocol/idempotency_same_request.test.ts',
      'protocol/idempotency_key.test.ts',
      'operations/file_uploads/sendFileUpload.test.ts',
    ],
    [
      [
        'a file under another name is a repeat of the first',
        'map(([name, { filename, digest }]) => [name, filename ?? null, digest])',
        'map(([name, { digest }]) => [name, digest])',
      ],
    ],
  ),
  ...faultsIn(
    'http/steps/receive_body.ts',
    ['operations/file_uploads/sendFileUpload.test.ts'],
    [
      [
        'the bytes of a repeat are kept beside those of the first',
        "    if (response.headers['Idempotency-Replayed'] !== undefined) await discard()\n",
        '',
      ],
    ],
  ),
  ...faultsIn(
    'domain/shared/rate_limiter.ts',
    ['limits/rate.test.ts'],
    [
      [
        'all bots of a connection share one budget',
        "rateLimit('connection', actor.userId, own,",
        "rateLimit('connection', actor.connectionId ?? actor.userId, own,",
      ],
      [
        'a refusal reports the wider budget',
        'const spent = states.find(({ left }) => left === 0) ?? states.at(-1)',
        'const spent = states.findLast(({ left }) => left === 0) ?? states.at(-1)',
      ],
      [
        'the limit of the connection itself counts in the windows of all',
        '{ requests: actor.rateLimit, seconds: OWN_LIMIT_SECONDS }',
        '{ requests: actor.rateLimit, seconds: connection.seconds }',
      ],
    ],
  ),
  ...faultsIn(
    'domain/shared/rate_limiter.ts',
    ['oauth/sign_in_guesses.test.ts'],
    [
      ['an address guesses at any number of accounts', "            attempts('address', address, SIGN_INS_OF_ADDRESS),\n", ''],
      ['any number of addresses guesses at an account', "            attempts('account', account, SIGN_INS_OF_ACCOUNT),\n", ''],
      [
        'attempts to sign in are not counted where budgets are switched off',
        'const { refusal } = await this.#count(\n      device',
        'const { refusal } = await this.#charge(\n      device',
      ],
    ],
  ),
  ...faultsIn(
    'http/charge_request.ts',
    ['limits/rate.test.ts', 'limits/once/network.test.ts', 'oauth/client_authentication.test.ts'],
    [
      [
        'wrong secrets of clients are not counted',
        '(error instanceof ServiceError || error instanceof OAuthError) && error.status === 401',
        'error instanceof ServiceError && error.status === 401',
      ],
    ],
  ),
  ...faultsIn(
    'http/network_of.ts',
    ['limits/once/network.test.ts'],
    [
      [
        'an IPv4 address counts as another one when it is written as an IPv6 address',
        '  if (parsed instanceof ipaddr.IPv4) return parsed.toString()\n',
        '  if (parsed instanceof ipaddr.IPv4) return address\n',
      ],
    ],
  ),
  ...faultsIn(
    'http/parse_query.ts',
    ['protocol/once/urls_and_bodies.test.ts', 'operations/pages/retrievePage.test.ts'],
    [
      ['a list in a query has to be written without brackets', 'if (arrays.has(base)) {', 'if (arrays.has(name)) {'],
      [
        'of a parameter that stands twice the last counts',
        '} else if (name in query) {',
        '} else if (name in query && query[name] === value) {',
      ],
    ],
  ),
  ...faultsIn(
    'http/parse_url.ts',
    ['protocol/once/urls_and_bodies.test.ts'],
    [
      ['a backslash may stand in a path', " || text.includes('\\\\') ||", ' ||'],
      [
        'any number of slashes may end a path',
        "if (segments.length > 1 && segments.at(-1) === '') segments.pop()",
        "while (segments.length > 1 && segments.at(-1) === '') segments.pop()",
      ],
    ],
  ),
  ...faultsIn(
    'http/parse_betas.ts',
    ['protocol/once/betas.test.ts'],
    [
      ['ten flags are too many', 'written.length > FLAGS_MAX', 'written.length >= FLAGS_MAX'],
      ['a flag may be repeated in another revision', 'if (seen.has(name)) throw', 'if (seen.has(flag)) throw'],
      ['a retired flag is ignored for ever', ' && now < Date.parse(known.graceEnd))', ')'],
    ],
  ),
  ...faultsIn(
    'http/steps/step.ts',
    ['protocol/order_of_checks.test.ts', 'protocol/rate.test.ts', 'protocol/every_operation.test.ts', 'limits/rate.test.ts'],
    [
      [
        'a caller without the capability is not counted',
        "  'rateLimit',\n  'admission',\n  'capability',\n",
        "  'capability',\n  'rateLimit',\n  'admission',\n",
      ],
    ],
  ),
  ...faultsIn(
    'http/steps/read_version.ts',
    ['protocol/order_of_checks.test.ts', 'protocol/every_operation.test.ts'],
    [
      [
        'an operation that is not there in a version is not there before its beta is looked at',
        '    const betas = parseBetas(',
        '    requireAvailable(operation, version)\n    const betas = parseBetas(',
      ],
    ],
  ),
  ...faultsIn(
    'http/accept_header.ts',
    ['protocol/order_of_checks.test.ts', 'protocol/once/acceptable.test.ts'],
    [
      [
        'a type that is excluded by its weight is sent all the same',
        'new Negotiator(request).mediaTypes().map((range) => range.toLowerCase())',
        "accept.split(',').map((range) => range.replace(/;.*/, '').trim().toLowerCase())",
      ],
    ],
  ),
  ...faultsIn(
    'store/dialects/postgresql_read_cache.ts',
    ['access/token_changes.test.ts', 'store/cached_reads.test.ts'],
    [
      ['a process keeps the holder of a token that it has revoked itself', 'if (hasChanged) this.#cache.drop()', ''],
      ['other processes are not notified of a change of access', "          await notify(connection, '')\n", ''],
      ['holders are cached for ever without notifications', 'if (now < this.#validUntil)', 'if (this.#validUntil > 0)'],
    ],
  ).map((fault): Fault => ({ ...fault, engine: 'postgresql' })),
  ...faultsIn(
    'store/dialects/read_cache.ts',
    ['store/cached_reads.test.ts'],
    [['what was read before a commit is cached behind it', ' && drops === this.#drops)', ')']],
  ),
  ...faultsIn(
    'http/steps/step.ts',
    ['protocol/once/proxy.test.ts'],
    [['HTTPS is asked for behind the Accept header', "  'transport',\n  'accept',\n", "  'accept',\n  'transport',\n"]],
  ),
  ...faultsIn(
    'http/steps/route_call.ts',
    ['protocol/order_of_checks.test.ts'],
    [
      [
        'the response to an unserved method does not list the served ones',
        "`This path is not served with ${method}.`, { Allow: match.join(', ') })",
        '`This path is not served with ${method}.`)',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/async_tasks/task_kind.ts',
    ['operations/async_tasks/retrieveAsyncTask.attempts.test.ts'],
    [
      [
        'what a task is refused is tried again and again',
        'return !(error instanceof ServiceError) || error.status >= 500',
        'return !(error instanceof ServiceError) || error.status >= 400',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/async_tasks/works.ts',
    ['operations/async_tasks/retrieveAsyncTask.test.ts', 'operations/async_tasks/retrieveAsyncTask.attempts.test.ts'],
    [
      [
        'a page that is made later comes with all its properties, whichever were asked for',
        '=> createPage(scope, body, filter, markdown)',
        '=> createPage(scope, body, undefined && filter, markdown)',
      ],
      [
        'a change of a page that is not shared is refused later, not at once',
        '  await requireMarkdownPage(scope, id)\n  return startTask',
        '  return startTask',
      ],
    ],
  ),
  ...faultsIn(
    'store/tokens.ts',
    ['operations/async_tasks/retrieveAsyncTask.test.ts', 'operations/async_tasks/retrieveAsyncTask.attempts.test.ts'],
    [
      [
        'work continues for a member whose only token has ended',
        'and (expires_time is null or expires_time > ${now}) order by calls_api desc limit 1`',
        'and (expires_time is null or expires_time > 0 * ${now}) order by calls_api desc limit 1`',
      ],
    ],
  ),
  ...faultsIn(
    'store/async_tasks.ts',
    ['operations/async_tasks/retrieveAsyncTask.test.ts', 'operations/async_tasks/retrieveAsyncTask.attempts.test.ts'],
    [
      [
        'any bot of the workspace reads a task',
        'and id = ${id} and actor_id = ${actorId}\n',
        'and id = ${id} and coalesce(actor_id, ${actorId}) is not null\n',
      ],
      [
        'a task can be read for a moment longer than seven days',
        '(finished_time is null or finished_time > ${finishedSince})`',
        '(finished_time is null or finished_time >= ${finishedSince})`',
      ],
    ],
  ),
  ...faultsIn(
    'jobs/sweeps.ts',
    ['oauth/sign_in.test.ts'],
    [
      [
        'each round drops so many and no more',
        'if ((await sweep(attempt)) < ROWS_AT_ONCE) return',
        'if ((await sweep(attempt)) <= ROWS_AT_ONCE) return',
      ],
    ],
  ),
]
