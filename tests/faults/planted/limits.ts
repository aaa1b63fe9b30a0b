import { faultsIn, type Fault } from '../fault.ts'

/** Limits: bodies, rate limits, the order of checks, and cleanup of abandoned work. */
export const limits: readonly Fault[] = [
  ...faultsIn(
    'http/admission.ts',
    ['limits/once/half_sent_bodies.test.ts', 'limits/admission.test.ts'],
    [
      [
        'a request with a complete body is processed without a free slot',
        '    if (!admitted.isFinished) this.#acquireSlot(admitted)\n',
        '',
      ],
      [
        'a request occupies a slot while its body arrives',
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
      ['unauthenticated requests are never released', '    this.#unauthenticated.delete(response)\n', ''],
    ],
  ),
  ...faultsIn(
    'http/evicting_pool.ts',
    ['limits/once/half_sent_bodies.test.ts', 'limits/once/unread_responses.test.ts'],
    [
      [
        'callers of one address may use all body memory',
        '    else if (ofAddress > atLeastOne(countMax * ADDRESS_SHARE))\n      this.#evictHeaviest(one, ({ address }) => address === entry.address)\n',
        '',
      ],
      ['bytes of complete bodies stay counted', '    this.#bytesHeld -= entry.bytesHeld\n', ''],
      ['complete bodies stay counted for their address', '    count(this.#ofAddress, entry.address, -1)\n', ''],
      [
        'the newest body is dropped instead of the oldest',
        'candidates.reduce((left, right) => (weigh(right) > weigh(left) ? right : left)).evict()',
        'candidates.reduce((left, right) => (weigh(right) >= weigh(left) ? right : left)).evict()',
      ],
    ],
  ),
  ...faultsIn(
    'http/transfer_rate_monitor.ts',
    ['limits/once/half_sent_bodies.test.ts'],
    [
      [
        'received bytes do not extend the time for a body',
        'graceSeconds + transfer.bytesMoved() / bytesPerSecondMin',
        'graceSeconds',
      ],
    ],
  ),
  ...faultsIn(
    'http/charset.ts',
    ['protocol/once/urls_and_bodies.test.ts', 'operations/file_uploads/sendFileUpload.names_and_charsets.test.ts'],
    [
      [
        'one of several charsets must be UTF-8',
        'return charsetsOf(contentType).every((charset)',
        "return contentType.includes(';') === false || charsetsOf(contentType).length === 0 || charsetsOf(contentType).some((charset)",
      ],
    ],
  ),
  ...faultsIn(
    'kernel/is_deeper_than.ts',
    ['protocol/once/urls_and_bodies.test.ts', 'limits/once/sizes.test.ts'],
    [
      ['a body of 64 levels is refused', 'if (levels === 0) return true', 'if (levels <= 1) return true'],
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
    [['a body without Content-Length is ignored', "return coding !== undefined || length !== '0'", "return length !== '0'"]],
  ),
  ...faultsIn(
    'http/multipart_form.ts',
    ['operations/file_uploads/sendFileUpload.test.ts', 'operations/file_uploads/sendFileUpload.names_and_charsets.test.ts'],
    [
      ['a form may have 17 parts', 'if (this.#work.length >= PARTS_MAX) fail(', 'if (this.#work.length > PARTS_MAX) fail('],
      [
        'the last of two form fields with one name applies',
        "    if (this.#names.has(name)) throw invalid(`body.${name}`, 'should be sent once')\n",
        '',
      ],
      ['a field of 1,024 bytes is refused', 'if (length > FIELD_BYTES_MAX) throw', 'if (length >= FIELD_BYTES_MAX) throw'],
      ['a file name keeps the path of the sender', 'filename.split(/[\\\\/]/)', "filename.split('/')"],
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
        'the request digest omits the file name',
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
        'a repeated upload stores its bytes again',
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
        'all bots of a connection share one rate limit',
        'ofCaller(actor, limits)',
        'ofCaller({ ...actor, userId: actor.connectionId ?? actor.userId }, limits)',
      ],
      [
        'a refusal reports the wider rate limit',
        'const spent = states.find(({ remaining }) => remaining === 0) ?? states.at(-1)',
        'const spent = states.findLast(({ remaining }) => remaining === 0) ?? states.at(-1)',
      ],
      [
        'the limit of a connection uses the window of the default',
        '{ requests: own, seconds: OWN_LIMIT_SECONDS }',
        '{ requests: own, seconds: connection.seconds }',
      ],
    ],
  ),
  ...faultsIn(
    'domain/shared/rate_limiter.ts',
    ['oauth/sign_in_guesses.test.ts'],
    [
      ['sign-in attempts of an address are not limited', "            attempts('address', address, SIGN_INS_OF_ADDRESS),\n", ''],
      ['sign-in attempts on an account are not limited', "            attempts('account', account, SIGN_INS_OF_ACCOUNT),\n", ''],
      [
        'sign-in attempts are not counted when rate limits are off',
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
        'wrong client secrets are not counted',
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
        'an IPv4-mapped address counts as another address',
        '  if (parsed instanceof ipaddr.IPv4) return parsed.toString()\n',
        '  if (parsed instanceof ipaddr.IPv4) return address\n',
      ],
    ],
  ),
  ...faultsIn(
    'http/parse_query.ts',
    ['protocol/once/urls_and_bodies.test.ts', 'operations/pages/retrievePage.test.ts'],
    [
      ['lists in a query are accepted without brackets only', 'if (arrays.has(base)) {', 'if (arrays.has(name)) {'],
      [
        'the last of two query parameters applies',
        '} else if (name in query) {',
        '} else if (name in query && query[name] === value) {',
      ],
    ],
  ),
  ...faultsIn(
    'http/parse_url.ts',
    ['protocol/once/urls_and_bodies.test.ts'],
    [
      ['a path may contain a backslash', " || text.includes('\\\\') ||", ' ||'],
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
      ['ten beta flags are refused', 'written.length > FLAGS_MAX', 'written.length >= FLAGS_MAX'],
      ['two revisions of a beta flag are accepted', 'if (seen.has(name)) throw', 'if (seen.has(flag)) throw'],
      ['a retired beta flag is always ignored', ' && now < Date.parse(known.graceEnd))', ')'],
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
        'a missing operation is reported before an invalid beta flag',
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
        'a media type with weight zero is sent',
        'new Negotiator(request).mediaTypes().map((range) => range.toLowerCase())',
        "accept.split(',').map((range) => range.replace(/;.*/, '').trim().toLowerCase())",
      ],
    ],
  ),
  ...faultsIn(
    'store/dialects/postgresql_read_cache.ts',
    ['access/token_changes.test.ts', 'store/cached_reads.test.ts'],
    [
      ['a process caches a token that it has revoked', 'if (hasChanged) this.#cache.drop()', ''],
      ['other processes are not notified of a change of access', "          await notify(connection, '')\n", ''],
      ['token look-ups are cached without notifications', 'if (now < this.#validUntil)', 'if (this.#validUntil > 0)'],
    ],
  ).map((fault): Fault => ({ ...fault, engine: 'postgresql' })),
  ...faultsIn(
    'store/dialects/read_cache.ts',
    ['store/cached_reads.test.ts'],
    [['a read from before a commit is cached after it', ' && drops === this.#drops)', ')']],
  ),
  ...faultsIn(
    'http/steps/step.ts',
    ['protocol/once/proxy.test.ts'],
    [['HTTPS is checked after the Accept header', "  'transport',\n  'accept',\n", "  'accept',\n  'transport',\n"]],
  ),
  ...faultsIn(
    'http/steps/route_call.ts',
    ['protocol/order_of_checks.test.ts'],
    [
      [
        'the response to an unserved method does not list the served ones',
        "`This path does not support the method ${method}.`, { Allow: match.join(', ') })",
        '`This path does not support the method ${method}.`)',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/async_tasks/task_kind.ts',
    ['operations/async_tasks/retrieveAsyncTask.attempts.test.ts'],
    [
      [
        'a refused task is retried',
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
        'the result of a task ignores filter_properties',
        '=> createPage(scope, body, filter, markdown)',
        '=> createPage(scope, body, undefined && filter, markdown)',
      ],
      [
        'access is checked in the task instead of the request',
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
        'a task can be read after seven days',
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
        'each clean-up deletes one batch only',
        'if ((await sweep(attempt)) < ROWS_AT_ONCE) return',
        'if ((await sweep(attempt)) <= ROWS_AT_ONCE) return',
      ],
    ],
  ),
]
