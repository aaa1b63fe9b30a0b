import { componentFile, reference, requireNewComponent } from './contract_names.ts'
import type { Kind } from './kind.ts'
import { UsageError } from './usage_error.ts'

/** `npm run new schema badges BadgeRibbon` */
export const schema: Kind = {
  parameters: ['resource', 'Name'],
  says: 'a schema of responses, or of requests if its name ends in Request, such as: pages PageStamp',
  callers: 'callers: a schema does not break programs until something refers to it; `npm run diff` then reports whether it does',
  draft(draft, [resource = '', name = '']) {
    const folder = resource === 'shared' || resource === 'events' ? `spec/${resource}` : `spec/resources/${resource}`
    if (draft.files(`${folder}/schemas`, '.yaml').length === 0)
      throw new UsageError(`${resource} has no schemas: name shared, events or a folder of spec/resources/.`)
    if (!/^(?:[A-Z][a-z]+)+$/.test(name))
      throw new UsageError(`${name} is not a valid schema name: schema names are in PascalCase without digits, as in PageStamp.`)
    requireNewComponent(draft, name)
    const file = `${folder}/schemas/${name}.yaml`
    const isRequest = name.endsWith('Request')
    draft.create(file, isRequest ? requestText(reference(file, 'spec/shared/schemas/StringRequest.yaml')) : responseText())
    const other = isRequest ? name.slice(0, -'Request'.length) : `${name}Request`
    return [
      `refer to it from another file of the contract, as in $ref: ./${name}.yaml; tests/spec/files.test.ts lists unreferenced files`,
      'show it in an example of an operation; tests/spec/examples.test.ts requires that for variants of a union',
      ...(componentFile(draft, other) === undefined
        ? [`requests and responses have separate schemas: npm run new schema ${resource} ${other}`]
        : []),
    ]
  },
}

function responseText(): string {
  return `type: object
description: "TODO: say what it is."
# TODO: describe its keys in place of this one; those that are always present are required.
required: [name]
properties:
  name:
    type: string
    description: "TODO: say what it means."
`
}

function requestText(name: string): string {
  return `type: object
description: "TODO: describe the request."
# TODO: describe its keys in place of this one.
required: [name]
properties:
  name:
    $ref: ${name}
    description: "TODO: say what it means."
additionalProperties: false
`
}
