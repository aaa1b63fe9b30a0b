import { faultsIn, type Fault } from '../fault.ts'

/** Paginated lists and their cursors. */
export const paging: readonly Fault[] = [
  ...faultsIn(
    'kernel/cursors.ts',
    ['kernel/cursors.test.ts', 'protocol/paging.test.ts', 'protocol/paging_of_changing_lists.test.ts'],
    [
      ['a cursor never expires', 'return now - madeAt <= LIFETIME_MS ? position : undefined', 'return position'],
      [
        'a cursor expires a moment too early',
        'return now - madeAt <= LIFETIME_MS ? position : undefined',
        'return now - madeAt < LIFETIME_MS ? position : undefined',
      ],
      [
        'half of the signature of a cursor is enough',
        'if (!isSameDigest(bytes.subarray(0, SIGNATURE_BYTES), this.#sign(binding, payload))) return undefined',
        'if (!isSameDigest(bytes.subarray(0, 6), this.#sign(binding, payload).subarray(0, 6))) return undefined',
      ],
      [
        'the signature of a cursor does not cover the list',
        "      .update(JSON.stringify(binding))\n      .update('\\n')",
        "      .update('\\n')",
      ],
      [
        'other encodings of a cursor are accepted',
        "if (bytes.length <= SIGNATURE_BYTES || bytes.toString('base64url') !== cursor) return undefined",
        'if (bytes.length <= SIGNATURE_BYTES) return undefined',
      ],
      [
        'an id cursor never expires',
        'if (age < -CLOCK_DIFFERENCE_MS || age > LIFETIME_MS) return undefined',
        'if (age < -CLOCK_DIFFERENCE_MS) return undefined',
      ],
      [
        'an id cursor may come from the future',
        'if (age < -CLOCK_DIFFERENCE_MS || age > LIFETIME_MS) return undefined',
        'if (age > LIFETIME_MS) return undefined',
      ],
      [
        'an id cursor serves every list',
        ".update('id cursor').update(JSON.stringify(binding)).digest()",
        ".update('id cursor').digest()",
      ],
      ['cursors are not bound to their caller', 'return [...this.#caller, ...this.#list()]', 'return [...this.#list()]'],
      ['cursors are not bound to their list', 'return [...this.#caller, ...this.#list()]', 'return [...this.#caller]'],
    ],
  ),
  ...faultsIn(
    'domain/shared/paging.ts',
    ['protocol/paging.test.ts', 'protocol/paging_of_changing_lists.test.ts', 'operations/blocks/listBlockChildren.test.ts'],
    [
      [
        'a full last page has `has_more` true',
        'const hasMore = rows.length > pageSize',
        'const hasMore = rows.length >= pageSize',
      ],
      ['a page contains one item too many', 'const items = rows.slice(0, pageSize)', 'const items = rows.slice(0, pageSize + 1)'],
      [
        'the last page has a cursor',
        'nextCursor: hasMore && last !== undefined ? cursorOf(last) : null',
        'nextCursor: last !== undefined ? cursorOf(last) : null',
      ],
      ['a wrong cursor begins at the start', '  if (position === undefined) throw badCursor(request)\n', ''],
      ['a cursor of a deleted item begins at the start', '  if (!row) throw badCursor(request)\n', ''],
    ],
  ),
]
