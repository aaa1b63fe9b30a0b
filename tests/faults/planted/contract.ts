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
        'the first violation that is found is named, not the first of the document',
        '[...others, ...found].sort(inDocumentOrder)',
        '[...others, ...found]',
      ],
      [
        'of two payloads the first is called wrong',
        'const extra = unexpected(places.child(place, second))',
        'const extra = unexpected(places.child(place, first))',
      ],
      [
        'of too many keys the first is called wrong',
        '  const extra = keys[limit]\n',
        '  const extra = keys.length > limit ? keys[0] : undefined\n',
      ],
      ['lengths count halves of characters', '[...place.value].length : Array', 'place.value.length : Array'],
      [
        'too short is called too long',
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
        'a list in which nothing may stand is called too long',
        "  if (requiresEmptyList(error)) return at(place, 'not present')\n",
        '',
      ],
      [
        'a misspelt key among good ones calls for another',
        "if (typeof value === 'object' && value !== null && (hasMany(value) || payloads.some((name) => Object.hasOwn(value, name))))\n",
        "if (typeof value === 'object' && value !== null && hasMany(value))\n",
      ],
      ['an object of very many keys is thought misspelt', '(hasMany(value) || payloads.some(', '(payloads.some('],
      [
        'one place is counted twice',
        'const paths = [...new Set(sorted.map((violation) => violation.path))].slice(0, PLACES_NAMED_MAX)',
        'const paths = sorted.map((violation) => violation.path).slice(0, PLACES_NAMED_MAX)',
      ],
    ],
  ),
  ...faultsIn(
    'contract/places.ts',
    ['operations/blocks/appendBlockChildren.bad_input.test.ts', 'protocol/once/errors.test.ts'],
    [
      [
        'what is missing stands behind its siblings',
        'return positions.get(step) ?? -1',
        'return positions.get(step) ?? positions.size',
      ],
    ],
  ),
  ...faultsIn(
    'contract/places.ts',
    ['protocol/once/errors.test.ts', 'protocol/once/violations.test.ts'],
    [
      ['keys that hold a slash or a tilde are misread', "step.replaceAll('~1', '/').replaceAll('~0', '~')", 'step'],
      [
        'the query is judged before the path',
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
        'the message for a value of the wrong type says that it may be null, too',
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
        'what stands in a list that must be empty is looked at',
        'if (emptyLists.size > 0 && !requiresEmptyList(error) && ancestry(pointer).some((above) => emptyLists.has(above))) return false',
        '',
      ],
    ],
  ),
  ...faultsIn(
    'contract/document_validator.ts',
    ['operations/blocks/listBlockChildren.test.ts', 'protocol/once/violations.test.ts'],
    [
      ['numbers may be written in any way that JavaScript reads', '      ...nonDecimalNumbers(places, parts, query),\n', ''],
      [
        'unknown parameters of the query are let through',
        "      ...refused.map((name) => ({ ...queryPlace(places, name), expectation: 'not present' })),\n",
        '',
      ],
    ],
  ),
  ...faultsIn(
    'contract/contract_validator.ts',
    ['protocol/once/betas.test.ts', 'protocol/once/violations.test.ts'],
    [
      [
        'of two betas, only the first counts',
        'for (const beta of betas) if (activeBetas.includes(flagOf(beta))) beta.tighten(document)',
        'for (const beta of betas) if (activeBetas[0] === flagOf(beta)) beta.tighten(document)',
      ],
      [
        'a request with a beta is held against the contract without it, once that is compiled',
        "const key = activeBetas.toSorted().join(',')",
        'const key = String(activeBetas.length)',
      ],
    ],
  ),
  ...faultsIn(
    'contract/document_validator.ts',
    ['versions/2021.test.ts', 'versions/writing.test.ts', 'versions/rules.test.ts'],
    [['older versions leave out only what shows at once', 'const PASSES_MAX = 8', 'const PASSES_MAX = 1']],
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
      ['a day serves as a moment', 'text.length > 10 && ISO_MOMENT.test(text)', 'ISO_MOMENT.test(text)'],
      [
        'a moment need not be on a real day',
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
    [['one block fewer may come at once', 'if (count > limit) violations', 'if (count >= limit) violations']],
  ),
  ...faultsIn(
    'contract/block_elements.ts',
    ['operations/pages/createPage.test.ts', 'protocol/once/violations.test.ts'],
    [
      ['blocks within blocks are not counted', 'sum + 1 + childrenBelow(entry), 0)', 'sum + 1, 0)'],
      [
        'only one level of blocks within blocks is counted',
        "sum + countElements(memberOf(content, 'children')), 0)",
        "sum + [memberOf(content, 'children')].flat().filter((one) => one !== undefined).length, 0)",
      ],
    ],
  ),
  ...faultsIn(
    'contract/operation.ts',
    ['operations/users/retrieveMe.test.ts'],
    [['`me` is looked up as the id of a user', '(a, b) => literals(b) - literals(a)', '(a, b) => literals(a) - literals(b)']],
  ),
  ...faultsIn(
    'contract/operation.ts',
    ['protocol/order_of_checks.test.ts'],
    [
      [
        'HEAD is not named among the methods',
        "methods.includes('GET') ? [...methods, 'HEAD', 'OPTIONS']",
        "methods.includes('GET') ? [...methods, 'OPTIONS']",
      ],
    ],
  ),
  ...faultsIn(
    'kernel/errors.ts',
    ['protocol/once/errors.test.ts'],
    [
      ['a value that is cut ends in half a character', ".replace(/[\\uD800-\\uDBFF]$/, '')", ''],
      [
        'a value of exactly the length shown is cut',
        'if (text.length <= SHOWN_VALUE_LENGTH_MAX) return',
        'if (text.length < SHOWN_VALUE_LENGTH_MAX) return',
      ],
      [
        'a single place is listed as several',
        'failedPaths.length > 1 ? { additionalData',
        'failedPaths.length > 0 ? { additionalData',
      ],
      [
        'what is missing is shown as null',
        "value === undefined ? 'undefined' : JSON.stringify(value, hideSecret)",
        'JSON.stringify(value ?? null, hideSecret)',
      ],
    ],
  ),
  ...faultsIn(
    'kernel/ids.ts',
    ['contract/ids.test.ts', 'kernel/ids.test.ts'],
    [['ids in capitals are other ids', ".replaceAll('-', '').toLowerCase()", ".replaceAll('-', '')"]],
  ),
  ...faultsIn(
    'kernel/ids.ts',
    ['operations/file_uploads/listFileUploads.test.ts', 'operations/file_uploads/retrieveFileUpload.test.ts'],
    [
      [
        'dashes may stand anywhere',
        'const ID = /^[0-9a-f]{32}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i',
        'const ID = /^(?:[0-9a-f]-?){32}$/i',
      ],
    ],
  ),
]
