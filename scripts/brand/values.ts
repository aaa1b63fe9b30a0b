/** Replaces the values with `x-branded` by the forms of a brand: in schemas, unions, descriptions and examples. */

import { brandedForm, Translator } from '../../server/contract/branded_values.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import { BrandedLocations } from '../generate/branded_values.ts'
import {
  mapValues,
  resolve,
  walkObjects,
  type Document,
  type Example,
  type JsonValue,
  type Schema,
} from '../generate/document.ts'

/** The multi-word values as prose shows them: own value -> form of the brand. */
export function wordsOfValues(document: Document, brand: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  walkObjects(document.components.schemas, (schema) => {
    for (const [value, form] of formsOf(schema, brand)) if (/[ _]/.test(value)) found.set(value, form)
  })
  return found
}

/** A copy of a contract with the values of a brand, and without `x-branded`. */
export function withBrandedValues(document: Document, brand: string): Document {
  const copy = structuredClone(document)
  brandExamples(copy, brand)
  walkObjects([copy.components, copy.paths, copy.webhooks], (object) => brandMapping(copy, object, brand))
  walkObjects([copy.components, copy.paths, copy.webhooks], (object) => brandSchema(object, brand))
  return copy
}

function formsOf(schema: Readonly<Record<string, unknown>>, brand: string): (readonly [value: string, form: string])[] {
  const forms = schema['x-branded']
  return isObject(forms) ? Object.entries(forms).map(([value, form]) => [value, brandedForm(String(form), brand)]) : []
}

/** Replaces values in the examples of bodies, located by the schemas beside them. */
function brandExamples(document: Document, brand: string): void {
  const locations = new BrandedLocations(document)
  walkObjects([document.paths, document.webhooks, document.components], ({ schema, examples }) => {
    const location = isObject(schema) ? locations.of(schema) : undefined
    if (location === undefined || !isObject(examples)) return
    const translator = new Translator(brand, 'branded', Object.fromEntries(locations.schemas))
    for (const example of Object.values(examples).filter(isObject)) {
      const shown = resolve<Example>(document, example)
      if (shown.value !== undefined) shown.value = translator.translate(location, shown.value)
    }
  })
}

/** Replaces branded values in the mapping of a union's discriminator. */
function brandMapping(document: Document, { discriminator }: Record<string, unknown>, brand: string): void {
  if (!isObject(discriminator) || !isObject(discriminator['mapping'])) return
  const tag = String(discriminator['propertyName'])
  discriminator['mapping'] = Object.fromEntries(
    Object.entries(discriminator['mapping']).map(([value, ref]) => {
      const member = resolve<Schema>(document, { $ref: String(ref) }).properties?.[tag]
      const forms = isObject(member) ? new Map(formsOf(resolve<Schema>(document, member), brand)) : new Map<string, string>()
      return [forms.get(value) ?? value, ref]
    }),
  )
}

function brandSchema(schema: Record<string, unknown>, brand: string): void {
  const forms = new Map(formsOf(schema, brand))
  if (forms.size === 0) return
  delete schema['x-branded']
  const exact = (value: unknown): unknown => (Array.isArray(value) ? value.map(exact) : (forms.get(String(value)) ?? value))
  const inText = (value: unknown): unknown =>
    [...forms].reduce((text, [own, form]) => text.replaceAll(`\`${own}\``, `\`${form}\``), String(value))
  const inPattern = (value: unknown): unknown =>
    [...forms].reduce((text, [own, form]) => text.replace(new RegExp(`\\b${own}\\b`, 'g'), form), String(value))
  const changes: Readonly<Record<string, (value: unknown) => unknown>> = {
    ...mapValues({ const: true, enum: true, default: true, example: true }, () => exact),
    ...mapValues({ description: true, 'x-expectation': true }, () => inText),
    pattern: inPattern,
  }
  for (const [keyword, change] of Object.entries(changes))
    if (schema[keyword] !== undefined) schema[keyword] = change(schema[keyword]) as JsonValue
  const lengths = [...forms.values()].map((form) => form.length)
  const { minLength, maxLength } = schema
  if (typeof minLength === 'number') schema['minLength'] = Math.min(minLength, ...lengths)
  if (typeof maxLength === 'number') schema['maxLength'] = Math.max(maxLength, ...lengths)
}
