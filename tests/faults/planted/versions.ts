import { faultsIn, type Fault } from '../fault.ts'

/** Older releases: conversion of requests, responses and messages. */
export const versions: readonly Fault[] = [
  ...faultsIn(
    'versions/2021-05-13.ts',
    ['versions/2021.test.ts'],
    [
      [
        'downgrade: a list of text items lacks its old type',
        "mapKind({ ...records, type: 'text' }, 'property_item', toText)",
        "mapKind(records, 'property_item', toText)",
      ],
      [
        'downgrade: a property type keeps its new name',
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
        'downgrade: a rollup without a value is present',
        "return value === null || (type === 'rollup' && isObject(value) && value[String(value['type'])] === null)",
        'return value === null',
      ],
      [
        'downgrade: an append returns the wrong object',
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
        'upgrade: the old name of a phone condition is unknown',
        "      renameKeyOfEither(request, condition, 'phone', 'phone_number')\n",
        '',
      ],
      [
        'upgrade: an old name of a rollup condition is unknown',
        "[rollup['any'], rollup['every'], rollup['none']]",
        "[rollup['any'], rollup['every']]",
      ],
      [
        'downgrade: a list of rollup items lacks its total',
        "...(info['type'] === 'rollup' ? { rollup: info['rollup'] } : {})",
        '',
      ],
      ['downgrade: a list of property items loses its type', " && type !== 'property_item'\n", '\n'],
      [
        'downgrade: a template block keeps the new name of its text',
        '(hasText ? [type] : [])',
        "(hasText && type !== 'template' ? [type] : [])",
      ],
      [
        'downgrade: the id of a property item stays percent-encoded',
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
        'downgrade: a database in a block has the block as parent',
        "if ((object !== 'page' && object !== 'database') || !isObject(parent)) return undefined",
        "if (object !== 'page' || !isObject(parent)) return undefined",
      ],
      [
        'downgrade: the id of the opposite property stays percent-encoded',
        'synced_property_id: decoded(synced_property_id)',
        'synced_property_id',
      ],
      [
        'upgrade: a relation that names only its opposite property has no type',
        "['database_id', ...SYNCED_KEYS].some(",
        "['database_id'].some(",
      ],
      [
        'upgrade: a relation of an older request may have a type',
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
        "downgrade: a move keeps the new name of the parent's type",
        "  request.origins.renameValue(parent, 'type', 'database_id', 'data_source_id')\n",
        '',
      ],
      [
        'downgrade: a search result has `archived` for its data source',
        '{ archived: database.in_trash }',
        '{ archived: dataSource.in_trash }',
      ],
      [
        'upgrade: an update reaches a database with several data sources',
        "if (operation.id !== 'retrieveDatabase' && operation.id !== 'updateDatabase') return",
        "if (operation.id !== 'retrieveDatabase') return",
      ],
      [
        'the cursor of an append follows the first new block',
        "const next: unknown = response['results'][results.length]",
        'const next: unknown = results[0]',
      ],
      [
        'the schema changes after the rest of an update',
        'calls.unshift({ operation: operations.updateDataSource',
        'calls.push({ operation: operations.updateDataSource',
      ],
      [
        'downgrade: a search list keeps its new type',
        "response['type'] === 'page_or_data_source'",
        "response['type'] === 'page_or_data_source' && recordsOf(response).length > 0",
      ],
      ['upgrade: a page may name a data source as parent', "    else request.origins.hide(parent, 'data_source_id')\n", ''],
    ],
  ),
  ...faultsIn(
    'versions/databases.ts',
    ['versions/2025-09-03.test.ts'],
    [
      [
        'downgrade: a merged database has `is_locked`',
        "...without(database, 'data_sources', 'is_locked'),",
        "...without(database, 'data_sources'),",
      ],
      [
        'downgrade: a merged database has the earlier edit time',
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
        'upgrade: contradictory flags are accepted',
        "if (Object.hasOwn(object, 'in_trash') && object['archived'] === object['in_trash']) {",
        "if (Object.hasOwn(object, 'in_trash')) {",
      ],
      [
        'upgrade: the old name of a flag in appended blocks is unknown',
        'else for (const block of writtenBlocks(request.call)) upgradeFlag(request, block)',
        "else if (operation.id === 'createPage') for (const block of writtenBlocks(request.call)) upgradeFlag(request, block)",
      ],
      ['an error lists meeting notes by their new name', 'if (isUpdate || NOTES_NAMES.includes(', 'if (NOTES_NAMES.includes('],
      ['an error about the block to append after names a path that was not sent', "    origins.inline(target, 'id')\n", ''],
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
        'an error shows the new name of a value',
        "const written = typeof value === 'string' ? (words.get(value) ?? value) : value",
        'const written = value',
      ],
      ['an error explains a value by its new name', '{ ...complaint, path, claim, ...', '{ ...complaint, path, ...'],
      [
        'an error renames the shortest matching path instead of the longest',
        'known.toSorted((a, b) => b.length - a.length)[0]',
        'known[0]',
      ],
      [
        'an error names a key that was renamed twice by the intermediate name',
        'const origin = this.#members.get(object)?.get(from) ?? { steps: [from] }',
        'const origin = { steps: [from] }',
      ],
    ],
  ),
  ...faultsIn(
    'versions/translation.ts',
    ['versions/2026-03-11.test.ts', 'versions/writing.test.ts', 'versions/rules.test.ts'],
    [
      ['the list of all violations uses new names', 'failed.map((path) => origins.translatePath(path, call))', 'failed'],
      [
        'two names of one key are accepted where unknown keys are ignored',
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
        'upgrade: old names are unknown in `content` of a new page',
        "  if (operation.id === 'createPage') collectBlocks(body['content'], found)\n",
        '',
      ],
      [
        'upgrade: old names of conditions are unknown below `or`',
        "for (const list of [filter['and'], filter['or']])",
        "for (const list of [filter['and']])",
      ],
      [
        'upgrade: old names are unknown in nested blocks',
        "if (isObject(content) && content['children'] !== undefined) collectBlocks(",
        "if (isObject(content) && key === block['type']) collectBlocks(",
      ],
      [
        'upgrade: a new name in an old request is accepted',
        '  else origins.hide(object, to)\n  origins.rename',
        '  origins.rename',
      ],
      [
        'upgrade: the old name of a property type is unknown in an update',
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
        'upgrade: a database with several data sources can be read',
        '      await prepareTranslation(request, { ...scope, db })\n      return work({ ...scope, db })',
        '      return work({ ...scope, db })',
      ],
      [
        'upgrade: a database id is used as a data source id',
        '    await prepareTranslation(request, scope)\n    let result',
        '    let result',
      ],
    ],
  ),
  ...faultsIn(
    'http/steps/read_version.ts',
    ['protocol/every_operation.test.ts'],
    [
      ['an operation is missing at its first release date', 'version < from', 'version <= from'],
      ['an operation is present at the release date that removed it', 'version >= before', 'version > before'],
    ],
  ),
  ...faultsIn(
    'http/parse_version.ts',
    ['protocol/once/headers.test.ts', 'versions/rules.test.ts'],
    [
      [
        'two equal version headers are refused',
        "[...new Set((header ?? '').split(',').map((value) => value.trim()))]",
        "(header ?? '').split(',').map((value) => value.trim())",
      ],
      [
        'the first of two version headers applies',
        'const version = values.length === 1 ? served',
        'const version = values.length > 0 ? served',
      ],
    ],
  ),
]
