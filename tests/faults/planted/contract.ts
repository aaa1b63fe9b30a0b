import { faultsIn, type Fault } from '../fault.ts'

/** Validation against the contract: refused requests, and the path that the error names. */
export const contract: readonly Fault[] = [
  ...faultsIn(
    'contract/violations.ts',
    [
      'operations/blocks/appendBlockChildren.bad_input.test.ts',
      'protocol/once/errors.test.ts',
      'protocol/once/violations.test.ts',
    ],
    [
      [
        'the error names the first violation found instead of the first in the document',
        '[...others, ...found].sort(inDocumentOrder)',
        '[...others, ...found]',
      ],
      [
        'the error names the first of two payloads',
        'const extra = unexpected(locations.child(location, second))',
        'const extra = unexpected(locations.child(location, first))',
      ],
      [
        'the error names the first of too many keys',
        '  const extra = keys[limit]\n',
        '  const extra = keys.length > limit ? keys[0] : undefined\n',
      ],
      ['lengths count UTF-16 units', '[...location.value].length\n', 'location.value.length\n'],
      [
        'the error for a short value says that it is too long',
        "const sign = error.keyword.startsWith('min') ? '≥' : '≤'",
        "const sign = error.keyword.startsWith('max') ? '≥' : '≤'",
      ],
    ],
  ),
  ...faultsIn(
    'contract/violations.ts',
    ['protocol/once/errors.test.ts', 'protocol/once/violations.test.ts'],
    [
      [
        'the error for a list that must be empty says that it is too long',
        "  if (requiresEmptyList(error)) return at(location, 'not present')\n",
        '',
      ],
      [
        'the error for an unknown key among valid ones asks for another key',
        "if (typeof value === 'object' && value !== null && (hasMany(value) || payloads.some((name) => Object.hasOwn(value, name))))\n",
        "if (typeof value === 'object' && value !== null && hasMany(value))\n",
      ],
      ['a very large object is searched for misspelled keys', '(hasMany(value) || payloads.some(', '(payloads.some('],
      [
        'one location is counted twice',
        'const paths = [...new Set(sorted.map((violation) => violation.path))].slice(0, PLACES_NAMED_MAX)',
        'const paths = sorted.map((violation) => violation.path).slice(0, PLACES_NAMED_MAX)',
      ],
    ],
  ),
  ...faultsIn(
    'contract/locations.ts',
    ['operations/blocks/appendBlockChildren.bad_input.test.ts', 'protocol/once/errors.test.ts'],
    [
      [
        'a missing key is ordered after its siblings',
        'return positions.get(step) ?? -1',
        'return positions.get(step) ?? positions.size',
      ],
    ],
  ),
  ...faultsIn(
    'contract/locations.ts',
    ['protocol/once/errors.test.ts', 'protocol/once/violations.test.ts'],
    [
      ['keys with a slash or a tilde are decoded incorrectly', "step.replaceAll('~1', '/').replaceAll('~0', '~')", 'step'],
      [
        'the query is checked before the path',
        "  ['params', 'path'],\n  ['query', 'query'],\n",
        "  ['query', 'query'],\n  ['params', 'path'],\n",
      ],
    ],
  ),
  ...faultsIn(
    'contract/relevant_errors.ts',
    [
      'operations/pages/updatePage.test.ts',
      'operations/data_sources/updateDataSource.test.ts',
      'operations/data_sources/updateDataSource.place_and_trash.test.ts',
      'protocol/once/violations.test.ts',
    ],
    [
      [
        'the error for a wrong type also suggests null',
        'return !isNullType(error) || !aboveOthers.has(pointer)',
        'return !isNullType(error) || aboveOthers.has(pointer)',
      ],
    ],
  ),
  ...faultsIn(
    'contract/relevant_errors.ts',
    ['protocol/once/errors.test.ts'],
    [
      [
        'members of a list that must be empty are checked',
        'if (emptyLists.size > 0 && !requiresEmptyList(error) && ancestry(pointer).some((above) => emptyLists.has(above))) return false',
        '',
      ],
    ],
  ),
  ...faultsIn(
    'contract/document_validator.ts',
    ['operations/blocks/listBlockChildren.test.ts', 'protocol/once/violations.test.ts'],
    [
      ['numbers in a query may have any notation of JavaScript', '      ...nonDecimalNumbers(locations, parts, query),\n', ''],
      [
        'unknown query parameters are accepted',
        "      ...refused.map((name) => ({ ...queryLocation(locations, name), expectation: 'not present' })),\n",
        '',
      ],
    ],
  ),
  ...faultsIn(
    'contract/contract_validator.ts',
    ['protocol/once/betas.test.ts', 'protocol/once/violations.test.ts'],
    [
      [
        'only the first of two betas applies',
        'for (const beta of betas) if (activeBetas.includes(flagOf(beta))) beta.tighten(document)',
        'for (const beta of betas) if (activeBetas[0] === flagOf(beta)) beta.tighten(document)',
      ],
      [
        'a request with a beta is checked against a cached contract without it',
        "const key = activeBetas.toSorted().join(',')",
        'const key = String(activeBetas.length)',
      ],
    ],
  ),
  ...faultsIn(
    'contract/document_validator.ts',
    ['versions/2021.test.ts', 'versions/writing.test.ts', 'versions/rules.test.ts'],
    [['unknown keys are removed on the first level only', 'const PASSES_MAX = 8', 'const PASSES_MAX = 1']],
  ),
  ...faultsIn(
    'contract/bounded_keywords.ts',
    ['contract/hostile_bodies.test.ts'],
    [['every faulty member of a list or map is reported', 'if (allErrors) gen.if(', 'if (allErrors) gen.if(false && ']],
  ),
  ...faultsIn(
    'contract/formats.ts',
    ['domain/formats.test.ts'],
    [
      ['links without a scheme lead to other hosts', "(text.startsWith('/') && !text.startsWith('//'))", "text.startsWith('/')"],
      ['a date without a time is accepted as a time', 'text.length > 10 && ISO_MOMENT.test(text)', 'ISO_MOMENT.test(text)'],
      [
        'a time on a day that does not exist is accepted',
        'accepts: (text) => ISO_MOMENT.test(text) && isRealDate(text.slice(0, 10)),',
        'accepts: (text) => ISO_MOMENT.test(text),',
      ],
    ],
  ),
  ...faultsIn(
    'contract/block_elements.ts',
    [
      'operations/blocks/appendBlockChildren.test.ts',
      'operations/blocks/appendBlockChildren.position.test.ts',
      'operations/blocks/appendBlockChildren.levels.test.ts',
    ],
    [['the limit of blocks is one too low', 'if (count > limit) violations', 'if (count >= limit) violations']],
  ),
  ...faultsIn(
    'contract/block_elements.ts',
    ['operations/pages/createPage.test.ts', 'protocol/once/violations.test.ts'],
    [
      ['nested blocks are not counted', 'sum + 1 + childrenBelow(entry), 0)', 'sum + 1, 0)'],
      [
        'only one level of nested blocks is counted',
        "sum + countElements(memberOf(content, 'children')), 0)",
        "sum + [memberOf(content, 'children')].flat().filter((one) => one !== undefined).length, 0)",
      ],
    ],
  ),
  ...faultsIn(
    'contract/operation.ts',
    ['operations/users/retrieveMe.test.ts'],
    [['`me` is treated as an id', '(a, b) => literals(b) - literals(a)', '(a, b) => literals(a) - literals(b)']],
  ),
  ...faultsIn(
    'contract/operation.ts',
    ['protocol/order_of_checks.test.ts'],
    [
      [
        'Allow does not list HEAD',
        "methods.includes('GET') ? [...methods, 'HEAD', 'OPTIONS']",
        "methods.includes('GET') ? [...methods, 'OPTIONS']",
      ],
    ],
  ),
  ...faultsIn(
    'kernel/errors.ts',
    ['protocol/once/errors.test.ts'],
    [
      ['a shown value is cut inside a surrogate pair', ".replace(/[\\uD800-\\uDBFF]$/, '')", ''],
      [
        'a value of the maximum shown length is cut',
        'if (text.length <= SHOWN_VALUE_LENGTH_MAX) return',
        'if (text.length < SHOWN_VALUE_LENGTH_MAX) return',
      ],
      [
        'one violation is listed as several',
        'failedPaths.length > 1 ? { additionalData',
        'failedPaths.length > 0 ? { additionalData',
      ],
      [
        'the error shows a missing value as null',
        "value === undefined ? 'undefined' : JSON.stringify(value, hideSecret)",
        'JSON.stringify(value ?? null, hideSecret)',
      ],
    ],
  ),
  ...faultsIn(
    'kernel/ids.ts',
    ['contract/ids.test.ts', 'kernel/ids.test.ts'],
    [['upper-case ids are different ids', ".replaceAll('-', '').toLowerCase()", ".replaceAll('-', '')"]],
  ),
  ...faultsIn(
    'kernel/ids.ts',
    ['operations/file_uploads/listFileUploads.test.ts', 'operations/file_uploads/retrieveFileUpload.test.ts'],
    [
      [
        'an id may have dashes anywhere',
        'const ID = /^[0-9a-f]{32}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i',
        'const ID = /^(?:[0-9a-f]-?){32}$/i',
      ],
    ],
  ),
]
