import { faultsIn, type Fault } from '../fault.ts'

/** Idempotency keys: which requests are the same, what is stored, and for how long. */
export const idempotency: readonly Fault[] = [
  ...faultsIn(
    'http/idempotency_key.ts',
    ['protocol/idempotency.test.ts', 'protocol/idempotency_same_request.test.ts', 'protocol/idempotency_key.test.ts'],
    [
      ['a key of 255 characters is refused', 'if (key.length > KEY_LENGTH_MAX)', 'if (key.length >= KEY_LENGTH_MAX)'],
      ['the first of two idempotency keys applies', 'if (values.length > 1) throw badKey', 'if (values.length > 2) throw badKey'],
    ],
  ),
  ...faultsIn(
    'application/keyed_request.ts',
    ['protocol/idempotency.test.ts'],
    [
      ['the order of betas changes the request digest', 'identity.betas.toSorted()', 'identity.betas'],
      [
        'the spelling of an id changes the request digest',
        'encodeURIComponent(oneSpelling(segment).toWellFormed())',
        'encodeURIComponent(segment.toWellFormed())',
      ],
      [
        'the request digest omits the query',
        'const whole = [method, path, query, version,',
        'const whole = [method, path, query.length, version,',
      ],
    ],
  ),
  ...faultsIn(
    'application/keyed_requests.ts',
    [
      'protocol/idempotency_after_failure.test.ts',
      'protocol/idempotency.test.ts',
      'protocol/idempotency_same_request.test.ts',
      'protocol/idempotency_key.test.ts',
    ],
    [
      [
        'responses of reading requests are not stored',
        '      if (!isStored) await this.#database.write((db) => storeResponse(db, response))\n',
        '',
      ],
      [
        'a key that was not released is not released by its next use',
        '        for (const earlier of failed) await freeKey(db, earlier.use)\n',
        '',
      ],
      ['releasing a key is not retried', '      this.#retryLater()\n    }\n  }\n\n  #remember', '    }\n  }\n\n  #remember'],
    ],
  ),
  // Only on PostgreSQL does a lock delay a request long enough to detect this fault.
  ...faultsIn(
    'application/keyed_requests.ts',
    ['protocol/idempotency_after_failure.test.ts'],
    [['a stopping server does not release its keys', '    for (const use of this.#running.values()) this.#remember(use)\n', '']],
  ).map((fault): Fault => ({ ...fault, engine: 'postgresql' })),
  ...faultsIn(
    'domain/shared/idempotency.ts',
    [
      'protocol/idempotency_in_flight.test.ts',
      'protocol/idempotency.test.ts',
      'protocol/idempotency_same_request.test.ts',
      'protocol/idempotency_key.test.ts',
    ],
    [
      [
        'keys of an actor are not limited',
        'if (Number.parseInt(use.claim.slice(0, 8), 16) % CLAIMS_PER_COUNT === 0) await',
        'if (Number.parseInt(use.claim.slice(0, 8), 16) % CLAIMS_PER_COUNT === CLAIMS_PER_COUNT) await',
      ],
      [
        'the error for a reused key names the second request',
        'throw reused(use.key, earlier.request)',
        'throw reused(use.key, use.request)',
      ],
      [
        'a slow request commits although a repeat has claimed its key',
        'if (!(await storeResponse(db, use, response, now))) throw inFlight(use.key, MIN_WAIT_MS)',
        'await storeResponse(db, use, response, now)',
      ],
    ],
  ),
  ...faultsIn(
    'store/idempotency_keys.ts',
    ['protocol/idempotency_in_flight.test.ts', 'protocol/idempotency_after_failure.test.ts'],
    [
      [
        'a failed request releases the key of its repeat',
        'and key = ${use.key}\n      and claim = ${use.claim} and status is null`',
        'and key = ${use.key}\n      and status is null`',
      ],
      [
        'keys in use are deleted to keep within the limit',
        '(${newestDropped.changed_time}, ${newestDropped.key}) and status is not null',
        '(${newestDropped.changed_time}, ${newestDropped.key})',
      ],
    ],
  ),
]
