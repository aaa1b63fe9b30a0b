import type { FormulaConfigRequest } from '../../../../generated/types.ts'
import { claimOf, FormulaCompiler, type FormulaSchema } from '../formulas/index.ts'
import { invalid } from '../../shared/index.ts'
import { findById, type StoredProperty } from '../properties/stored.ts'
import { fitsRollup } from '../rollups/roll_up.ts'
import { formulaSchema, reachableSources } from './formula_schemas.ts'
import type { SchemaSession } from './schema_session.ts'

/**
 * Records the text of a formula, if the settings of the column contain one.
 * @param path of the column in the request
 */
export function writeFormula({ formulas }: SchemaSession, id: string, content: object, path: string): void {
  const { expression } = content as FormulaConfigRequest
  if (expression) formulas.set(id, { text: expression, path: `${path}.formula.expression` })
}

/**
 * Checks formulas and rollups against the new schemas, and replaces formulas by their stored form.
 * @throws ServiceError `validation_error` that names the position of the error
 */
export async function resolveComputed(session: SchemaSession): Promise<void> {
  const { draft, formulas, rollups } = session
  if (formulas.size === 0 && rollups.size === 0) return
  const compiler = await compilerOf(session)
  for (const [id, { path }] of formulas) {
    const { formula, error } = compiler.property(draft.id, id)
    if (!formula) throw invalid(path, claimOf(error))
    const property = findById(draft.properties, id)
    if (property?.type === 'formula') session.put({ ...property, expression: formula.stored })
  }
  for (const [id, path] of rollups) await requireFitting(session, compiler, id, path)
  for (const { id, type } of draft.properties) {
    const compilation = type === 'formula' ? compiler.property(draft.id, id) : undefined
    if (compilation?.formula === undefined && compilation?.isCycle) {
      throw invalid([...rollups.values()][0] ?? 'body.properties', 'should not make a formula depend on itself')
    }
  }
}

async function compilerOf(session: SchemaSession): Promise<FormulaCompiler> {
  const open = session.drafts()
  const written = new Map([...session.formulas].map(([id, { text }]) => [id, text]))
  const reached = await reachableSources(session.scope, open)
  const schemas = new Map<string, FormulaSchema>()
  for (const { id, properties } of reached.values()) schemas.set(id, formulaSchema(id, properties))
  for (const { id, properties } of open)
    schemas.set(id, formulaSchema(id, properties, id === session.draft.id ? written : undefined))
  return new FormulaCompiler((id) => schemas.get(id))
}

async function requireFitting(session: SchemaSession, compiler: FormulaCompiler, id: string, path: string): Promise<void> {
  const { properties } = session.draft
  const rollup = findById(properties, id)
  if (rollup?.type !== 'rollup') return
  const relation = findById(properties, rollup.relationId)
  const target = relation?.type === 'relation' ? await session.open(relation.dataSourceId) : undefined
  const rolled: StoredProperty | undefined = target && findById(target.properties, rollup.targetId)
  if (!target || !rolled) throw invalid(path, 'should name a property of the related data source')
  const result = rolled.type === 'formula' ? compiler.property(target.id, rolled.id).formula?.resultType : undefined
  if (!fitsRollup(rollup.function, rolled.type, result)) {
    throw invalid(path, `should use a function that fits the type ${rolled.type}, instead of ${rollup.function}`)
  }
}
