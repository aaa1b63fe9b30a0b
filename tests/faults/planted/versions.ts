import { faultsIn, type Fault } from '../fault.ts'

/** Older releases: conversion of requests, responses and messages. */
export const versions: readonly Fault[] = [
  ...faultsIn(
    'versions/2021-05-13.ts',
    ['versions/2021.test.ts'],
    [
      [
        'a list of texts of a property does not have its old type',
        "mapKind({ ...records, type: 'text' }, 'property_item', toText)",
        "mapKind(records, 'property_item', toText)",
      ],
      [
        'the type of a property keeps its newer name',
        "      request.origins.renameValue(property, 'type', 'text', 'rich_text')\n",
        '',
      ],
    ],
  ),
  ...faultsIn(
    'versions/2021-08-16.ts',
    ['versions/2021.test.ts'],
    [
      [
        'a rollup without a value is there',
        "return value === null || (type === 'rollup' && isObject(value) && value[String(value['type'])] === null)",
        'return value === null',
      ],
      [
        'an append to a database or page has the response of other writes',
        "if (call.operation.id === 'appendBlockChildren')",
        "if (call.operation.id === 'appendBlockChildren' || call.operation.id === 'updateBlock')",
      ],
    ],
  ),
  ...faultsIn(
    'versions/2022-02-22.ts',
    ['versions/2022-02-22.test.ts'],
    [
      [
        'a condition of a telephone number is unknown by its old name',
        "      renameKeyOfEither(request, condition, 'phone', 'phone_number')\n",
        '',
      ],
      [
        'of conditions of rollups the old names work in two of three',
        "[rollup['any'], rollup['every'], rollup['none']]",
        "[rollup['any'], rollup['every']]",
      ],
      [
        'a list of items of a rollup does not have its total',
        "...(info['type'] === 'rollup' ? { rollup: info['rollup'] } : {})",
        '',
      ],
      ['a list of property items loses its type', " && type !== 'property_item'\n", '\n'],
      [
        'a template block keeps the newer name of its text',
        '(hasText ? [type] : [])',
        "(hasText && type !== 'template' ? [type] : [])",
      ],
      [
        'the id of a property item stays percent-encoded',
        "return { ...response, id: decoded(response['id']) }",
        'return response',
      ],
    ],
  ),
  ...faultsIn(
    'versions/2022-06-28.ts',
    ['versions/2022-06-28.test.ts'],
    [
      [
        'a database in a block has the block as parent',
        "if ((object !== 'page' && object !== 'database') || !isObject(parent)) return undefined",
        "if (object !== 'page' || !isObject(parent)) return undefined",
      ],
      [
        'the id of the opposite property stays percent-encoded',
        'synced_property_id: decoded(synced_property_id)',
        'synced_property_id',
      ],
      [
        'a relation that only names its opposite property has no type',
        "['database_id', ...SYNCED_KEYS].some(",
        "['database_id'].some(",
      ],
      [
        'a relation of an older request may have a type',
        "for (const key of ['type', 'single_property', 'dual_property']) origins.hide(relation, key)",
        "for (const key of ['single_property', 'dual_property']) origins.hide(relation, key)",
      ],
    ],
  ),
  ...faultsIn(
    'versions/2025-09-03.ts',
    ['versions/2025-09-03.test.ts', 'versions/all_releases.test.ts'],
    [
      [
        'a database with several data sources shows the first of them',
        'return only && !another ? mergeDatabase(',
        'return only ? mergeDatabase(',
      ],
      [
        'a move into a database keeps the newer name of the type of its parent',
        "  request.origins.renameValue(parent, 'type', 'database_id', 'data_source_id')\n",
        '',
      ],
      [
        'a hit of a search says of its data source whether it is archived',
        '{ archived: database.in_trash }',
        '{ archived: dataSource.in_trash }',
      ],
      [
        'an older update reaches a database with several data sources',
        "if (operation.id !== 'retrieveDatabase' && operation.id !== 'updateDatabase') return",
        "if (operation.id !== 'retrieveDatabase') return",
      ],
      [
        'the cursor of an append stands behind the first of the new blocks',
        "const next: unknown = response['results'][results.length]",
        'const next: unknown = results[0]',
      ],
      [
        'the schema changes behind the rest of an update',
        'calls.unshift({ operation: operations.updateDataSource',
        'calls.push({ operation: operations.updateDataSource',
      ],
      [
        'a search for nothing in particular calls its list by the newer name',
        "response['type'] === 'page_or_data_source'",
        "response['type'] === 'page_or_data_source' && recordsOf(response).length > 0",
      ],
      [
        'a new page may name a data source that its version does not know',
        "    else request.origins.hide(parent, 'data_source_id')\n",
        '',
      ],
    ],
  ),
  ...faultsIn(
    'versions/databases.ts',
    ['versions/2025-09-03.test.ts'],
    [
      [
        'a merged database is shown as locked, which was impossible then',
        "...without(database, 'data_sources', 'is_locked'),",
        "...without(database, 'data_sources'),",
      ],
      [
        'a merged database was changed when the earlier of its halves was',
        'return String(one) > String(other) ? one : other',
        'return String(one) < String(other) ? one : other',
      ],
      [
        'the error about several data sources names one of them',
        'child_data_source_ids: dataSources.map(({ id }) => id),',
        'child_data_source_ids: dataSources.slice(1).map(({ id }) => id),',
      ],
    ],
  ),
  ...faultsIn(
    'versions/2026-03-11.ts',
    ['versions/2026-03-11.test.ts', 'versions/2025-09-03.test.ts', 'versions/writing.test.ts'],
    [
      [
        'two flags that contradict each other are taken',
        "if (Object.hasOwn(object, 'in_trash') && object['archived'] === object['in_trash']) {",
        "if (Object.hasOwn(object, 'in_trash')) {",
      ],
      [
        'a flag in blocks of an append is unknown by its old name',
        'else for (const block of writtenBlocks(request.call)) upgradeFlag(request, block)',
        "else if (operation.id === 'createPage') for (const block of writtenBlocks(request.call)) upgradeFlag(request, block)",
      ],
      [
        'a message about the type of a block offers meeting notes by their newer name',
        'if (isUpdate || NOTES_NAMES.includes(',
        'if (NOTES_NAMES.includes(',
      ],
      [
        'a message about the block to append after names a path that the caller did not send',
        "    origins.inline(target, 'id')\n",
        '',
      ],
    ],
  ),
  ...faultsIn(
    'versions/origins.ts',
    [
      'versions/origins.test.ts',
      'versions/2021.test.ts',
      'versions/2022-02-22.test.ts',
      'versions/2022-06-28.test.ts',
      'versions/2026-03-11.test.ts',
    ],
    [
      [
        'a message shows a value by its newer name',
        "const written = typeof value === 'string' ? (words.get(value) ?? value) : value",
        'const written = value',
      ],
      ['a message explains a value with newer words', '{ ...complaint, path, claim, ...', '{ ...complaint, path, ...'],
      [
        'of nested names the first that fits is taken, not the longest',
        'known.toSorted((a, b) => b.length - a.length)[0]',
        'known[0]',
      ],
      [
        'a key that was renamed twice is named as it was after the first time',
        'const origin = this.#members.get(object)?.get(from) ?? { steps: [from] }',
        'const origin = { steps: [from] }',
      ],
    ],
  ),
  ...faultsIn(
    'versions/translation.ts',
    ['versions/2026-03-11.test.ts', 'versions/writing.test.ts', 'versions/rules.test.ts'],
    [
      [
        'the list of all wrong places names them by their newer names',
        'failed.map((path) => origins.translatePath(path, call))',
        'failed',
      ],
      [
        'where unknown keys are ignored, two names of one thing are taken',
        '? (key) => !isRefused(key) : undefined',
        '? () => true : undefined',
      ],
    ],
  ),
  ...faultsIn(
    'versions/requests.ts',
    ['versions/2022-02-22.test.ts', 'versions/2022-06-28.test.ts', 'versions/2021.test.ts', 'versions/2026-03-11.test.ts'],
    [
      [
        'older names are unknown in the content of a new page when it is called content',
        "  if (operation.id === 'createPage') collectBlocks(body['content'], found)\n",
        '',
      ],
      [
        'older names of conditions are unknown below or',
        "for (const list of [filter['and'], filter['or']])",
        "for (const list of [filter['and']])",
      ],
      [
        'older names are unknown in blocks of tables and columns',
        "if (isObject(content) && content['children'] !== undefined) collectBlocks(",
        "if (isObject(content) && key === block['type']) collectBlocks(",
      ],
      [
        'the newer of two names is taken from an older request',
        '  else origins.hide(object, to)\n  origins.rename',
        '  origins.rename',
      ],
      [
        'the older name of a property type is unknown when a page is changed',
        "['createPage', 'updatePage', 'createDatabase', 'updateDatabase']",
        "['createPage', 'createDatabase', 'updateDatabase']",
      ],
    ],
  ),
  ...faultsIn(
    'application/perform.ts',
    [
      'operations/databases/retrieveDatabase.test.ts',
      'operations/databases/updateDatabase.test.ts',
      'operations/databases/listDatabases.test.ts',
    ],
    [
      [
        'an older version reads a database that it cannot address',
        '      await prepareTranslation(request, { ...scope, db })\n      return work({ ...scope, db })',
        '      return work({ ...scope, db })',
      ],
      [
        'an older version writes to a database as if it were its data source',
        '    await prepareTranslation(request, scope)\n    let result',
        '    let result',
      ],
    ],
  ),
  ...faultsIn(
    'http/steps/read_version.ts',
    ['protocol/every_operation.test.ts'],
    [
      ['an operation comes one release late', 'version < from', 'version <= from'],
      ['an operation goes one release late', 'version >= before', 'version > before'],
    ],
  ),
  ...faultsIn(
    'http/parse_version.ts',
    ['protocol/once/headers.test.ts', 'versions/rules.test.ts'],
    [
      [
        'the same version said twice is none',
        "[...new Set((header ?? '').split(',').map((value) => value.trim()))]",
        "(header ?? '').split(',').map((value) => value.trim())",
      ],
      [
        'of two versions the first counts',
        'const version = values.length === 1 ? served',
        'const version = values.length > 0 ? served',
      ],
    ],
  ),
]
