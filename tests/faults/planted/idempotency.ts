import { faultsIn, type Fault } from '../fault.ts'

/** Idempotency keys: which requests are the same, what is stored, and for how long. */
export const idempotency: readonly Fault[] = [
  ...faultsIn(
    'http/idempotency_key.ts',
    ['protocol/idempotency.test.ts', 'protocol/idempotency_same_request.test.ts', 'protocol/idempotency_key.test.ts'],
    [
      ['a key of 255 characters is too long', 'if (key.length > KEY_LENGTH_MAX)', 'if (key.length >= KEY_LENGTH_MAX)'],
      ['of two keys the first counts', 'if (values.length > 1) throw badKey', 'if (values.length > 2) throw badKey'],
    ],
  ),
  ...faultsIn(
    'application/keyed_request.ts',
    ['protocol/idempotency.test.ts'],
    [
      ['the order of betas makes another request', 'identity.betas.toSorted()', 'identity.betas'],
      [
        'another spelling of an id makes another request',
        'encodeURIComponent(oneSpelling(segment).toWellFormed())',
        'encodeURIComponent(segment.toWellFormed())',
      ],
      [
        'the query of a request does not count',
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
        'a key that could not be freed is not freed by its next use',
        '        for (const earlier of failed) await freeKey(db, earlier.use)\n',
        '',
      ],
      [
        'a key that could not be freed is not tried again',
        '      this.#retryLater()\n    }\n  }\n\n  #remember',
        '    }\n  }\n\n  #remember',
      ],
    ],
  ),
  // A lock of PostgreSQL delays a request long enough.
  ...faultsIn(
    'application/keyed_requests.ts',
    ['protocol/idempotency_after_failure.test.ts'],
    [['the keys of a stopping server stay in use', '    for (const use of this.#running.values()) this.#remember(use)\n', '']],
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
        'nobody looks how many keys an actor has',
        'if (Number.parseInt(use.claim.slice(0, 8), 16) % CLAIMS_PER_COUNT === 0) await',
        'if (Number.parseInt(use.claim.slice(0, 8), 16) % CLAIMS_PER_COUNT === CLAIMS_PER_COUNT) await',
      ],
      [
        'the refusal of a key names the request that was refused, not the first',
        'throw reused(use.key, earlier.request)',
        'throw reused(use.key, use.request)',
      ],
      [
        'a slow request keeps its effect although a repeat has taken its key',
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
        'a failure frees the key of the repeat that has taken over',
        'and key = ${use.key}\n      and claim = ${use.claim} and status is null`',
        'and key = ${use.key}\n      and status is null`',
      ],
      [
        'keys in flight are dropped when there are too many',
        '(${newestDropped.changed_time}, ${newestDropped.key}) and status is not null',
        '(${newestDropped.changed_time}, ${newestDropped.key})',
      ],
    ],
  ),
]
