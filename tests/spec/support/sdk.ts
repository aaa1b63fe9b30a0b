import type { Document, Schema } from '../../../scripts/generate/document.ts'

export const text: Schema = { type: 'string' }
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
export const object = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  type: 'object',
  ...(required.length > 0 ? { required } : {}),
  properties,
})
export const documentOf = (schemas: Record<string, Schema>, rest: Partial<Document> = {}): Document => ({
  openapi: '3.1.1',
  info: { title: 'Notes', version: '1' },
  paths: {},
  components: { schemas },
  ...rest,
})
