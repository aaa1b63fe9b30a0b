import { perform } from '../../application/perform.ts'
import type { Actor } from '../../domain/shared/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { objectResponse } from '../response.ts'
import type { Step } from './step.ts'

export function performCall(dependencies: Dependencies): Step<Actor> {
  const parts = { ...dependencies, render: objectResponse }
  return (context, call) => perform(parts, context, call)
}
