import { Ajv2020 } from 'ajv/dist/2020.js'
import { _, type CodeKeywordDefinition, type KeywordCxt, type Name, type Options } from 'ajv'
import { PLACES_NAMED_MAX } from './violations.ts'

/** The `this` of a validator that `boundedAjv` compiles. */
export interface ValidationRun {
  /** Removes an unknown key from its object if the version of the request ignores it. @returns whether the key was removed */
  removes(object: object, key: string): boolean
}

/** How Ajv writes the step to a member in the path of an error: its internal `Type.Num` and `Type.Str`. */
const [INDEX, KEY] = [0, 1]

/**
 * Makes a compiler whose validators take linear time however many errors a body has. Ajv's own keywords report every faulty member of a
 * list or map, and copy all errors found so far for each of them; these stop after the last one that a response can name.
 */
export function boundedAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({ ...options, passContext: true })
  for (const definition of [items, propertyNames, additionalProperties]) {
    ajv.removeKeyword(String(definition.keyword))
    ajv.addKeyword(definition)
  }
  return ajv
}

const items: CodeKeywordDefinition = {
  keyword: 'items',
  type: 'array',
  schemaType: ['object', 'boolean'],
  before: 'uniqueItems',
  code(cxt) {
    const { gen, data, it } = cxt
    it.items = true
    forEachMember(cxt, (valid, refuse) => {
      gen.forRange('i', 0, _`${data}.length`, (index) => {
        cxt.subschema({ keyword: 'items', dataProp: index, dataPropType: INDEX }, valid)
        gen.if(_`!${valid}`, refuse)
      })
    })
  },
}

const propertyNames: CodeKeywordDefinition = {
  keyword: 'propertyNames',
  type: 'object',
  schemaType: ['object', 'boolean'],
  before: 'properties',
  error: { message: 'property name must be valid', params: ({ params }) => _`{propertyName: ${params['propertyName']}}` },
  code(cxt) {
    const { gen, data } = cxt
    forEachMember(cxt, (valid, refuse) => {
      gen.forIn('key', data, (key) => {
        cxt.setParams({ propertyName: key })
        const name = { data: key, dataTypes: ['string' as const], propertyName: key }
        cxt.subschema({ keyword: 'propertyNames', ...name, compositeRule: true }, valid)
        gen.if(_`!${valid}`, () => {
          cxt.error(true)
          refuse()
        })
      })
    })
  },
}

const additionalProperties: CodeKeywordDefinition = {
  keyword: 'additionalProperties',
  type: 'object',
  schemaType: ['boolean', 'object'],
  before: 'properties',
  error: {
    message: 'must NOT have additional properties',
    params: ({ params }) => _`{additionalProperty: ${params['additionalProperty']}}`,
  },
  code(cxt) {
    const { gen, data, schema, parentSchema, it } = cxt
    it.props = true
    if (schema === true) return
    const known = Object.keys((parentSchema['properties'] as object | undefined) ?? {})
    forEachMember(cxt, (valid, refuse) => {
      gen.forIn('key', data, (key) => {
        gen.if(
          known.reduce((code, name) => _`${code} && ${key} !== ${name}`, _`true`),
          () => {
            if (schema === false) refuseKey(cxt, key, valid, refuse)
            else {
              cxt.subschema({ keyword: 'additionalProperties', dataProp: key, dataPropType: KEY }, valid)
              gen.if(_`!${valid}`, refuse)
            }
          },
        )
      })
    })
  },
}

/** Reports an unknown key, unless it is removed. Conditions, which report no errors, leave the value as it is. */
function refuseKey(cxt: KeywordCxt, key: Name, valid: Name, refuse: () => void): void {
  const { gen, data, it } = cxt
  if (it.createErrors !== false) gen.if(_`this.removes(${data}, ${key})`, () => gen.code(_`continue`))
  gen.assign(valid, false)
  cxt.setParams({ additionalProperty: key })
  cxt.error()
  refuse()
}

/** @param loop makes the loop; `valid` tells whether the current member is valid, and `refuse` makes the code for one that is not */
function forEachMember(cxt: KeywordCxt, loop: (valid: Name, refuse: () => void) => void): void {
  const { gen, allErrors } = cxt
  const valid = gen.name('valid')
  gen.var(valid, true)
  const faulty = gen.let('faulty', 0)
  loop(valid, () => {
    if (allErrors) gen.if(_`++${faulty} === ${PLACES_NAMED_MAX}`, () => gen.break())
    else gen.break()
  })
  cxt.ok(valid)
}
