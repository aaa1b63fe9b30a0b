import { randomUUID } from 'node:crypto'
import { requireNewComponent, exampleId } from './contract_names.ts'
import type { FileDraft } from './file_draft.ts'
import { addBefore } from './edits.ts'
import type { Kind } from './kind.ts'
import { ModelCopy } from './model_copy.ts'
import { UsageError } from './usage_error.ts'
import { camel, pascalOf } from './words.ts'

/** The model: a block with content of its own, without children and without a form in Markdown. Its examples show every possible form. */
const MODEL = 'table_of_contents'
const FAMILY = 'spec/families/block_types'

/** `npm run new block-type tide_gauge` */
export const blockType: Kind = {
  parameters: ['type'],
  says: 'a type of block without children, such as: tide_gauge',
  callers:
    'callers: a new type in responses breaks programs that know every block type; 2022-02-22.ts in server/versions/ says what older versions get instead',
  draft(draft, [type = '']) {
    requireNewType(draft, type)
    const id = randomUUID()
    const copy = new ModelCopy(draft, [
      [pascalOf(MODEL), pascalOf(type)],
      [MODEL, type],
      [exampleId(draft, `\`${MODEL}\``), id],
    ])
    addToContract(draft, copy, type)
    addToServer(draft, copy, type)
    addTests(draft, type)
    return [
      'a type with children has `x-nesting` in its file, as callout.yaml does',
      'a type with a form in Markdown needs the rows that CONTRIBUTING.md names',
      'descriptions that list types, such as that of appendBlockChildren, say where it is allowed',
    ]
  },
}

/** @throws UsageError if the type is malformed or in use */
function requireNewType(draft: FileDraft, type: string): void {
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(type))
    throw new UsageError(`${type} is not a valid block type: block types are in snake_case, as in tide_gauge.`)
  const file = `${FAMILY}/${type}.yaml`
  if (draft.has(file)) throw new UsageError(`${type} exists already: ${file}.`)
  for (const ending of ['Block', 'BlockRequest', 'BlockUpdate', 'Content', 'ContentRequest', 'ContentUpdate'])
    requireNewComponent(draft, `${pascalOf(type)}${ending}`)
}

function addToContract(draft: FileDraft, copy: ModelCopy, type: string): void {
  copy.copyMember(`${FAMILY}/${MODEL}.yaml`, 'color')
  copy.repeatLines(`${FAMILY}/family.yaml`, /^ +- /)
  copy.repeatLines('spec/example_workspace.md', /^\| `/)
  draft.change('spec/guides/03-markdown.md', (text) => text.replace('`breadcrumb`, ', (name) => `${name}\`${type}\`, `))
}

function addToServer(draft: FileDraft, copy: ModelCopy, type: string): void {
  draft.create(`server/domain/content/block_types/${type}.ts`, moduleText(type))
  const index = 'server/domain/content/block_types/index.ts'
  const name = camel(type)
  draft.change(index, (text) => {
    const imported = addBefore(text, 'import { toggle }', `import { ${name} } from './${type}.ts'\n`)
    return addBefore(imported, '  tab,\n', name === type ? `  ${type},\n` : `  ${type}: ${name},\n`)
  })
  copy.repeatLines('server/versions/2022-02-22.ts', /^ {2}\w+: false,$/)
  copy.repeatLines('server/store/stored/block_forms.ts', /^ {2}\w+: object\(/)
  copy.repeatLines('server/bootstrap/sample/blocks.json', /^ *\{ "id": .*\},$/)
}

function moduleText(type: string): string {
  const content = `${pascalOf(type)}Content`
  return `import type { ${content}, ${content}Request } from '../../../../generated/types.ts'
import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { color, contentOf } from './content.ts'
import { formless } from './markdown_forms.ts'

export const ${camel(type)}: BlockTypeDefinition<'${type}'> = {
  ...plainBlock,
  // TODO: say how each key of its content is stored and presented.
  content: contentOf<${content}Request, ${content}>({ color }),
  // TODO: keep these if it holds no children and has no form in Markdown.
  children: noChildren,
  markdown: formless,
}
`
}

function addTests(draft: FileDraft, type: string): void {
  const rows = `  // TODO: the least and the most that may be written, and how either reads.
  ${type}: {
    least: [{}, { color: 'default' }],
    most: [{ color: 'default_background' }, { color: 'default_background' }],
  },
`
  draft.change('tests/operations/blocks/appendBlockChildren.block_types.test.ts', (text) =>
    addBefore(text, '  divider: empty,\n', rows),
  )
}
