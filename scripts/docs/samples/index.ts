/** The samples of an operation, in the order of the page. */

import type { Document, PlacedOperation } from '../../generate/document.ts'
import { curlSample } from './curl.ts'
import { goSample } from './go.ts'
import { pythonSample } from './python.ts'
import { sampleCall, type SampleCall } from './sample_call.ts'
import { typescriptSample } from './typescript.ts'

export interface SampleLanguage {
  readonly name: string
  /** The language tag of the code block. */
  readonly fence: string
  readonly write: (call: SampleCall) => string
}

export const sampleLanguages: readonly SampleLanguage[] = [
  { name: 'curl', fence: 'sh', write: curlSample },
  { name: 'TypeScript', fence: 'ts', write: typescriptSample },
  { name: 'Python', fence: 'python', write: pythonSample },
  { name: 'Go', fence: 'go', write: goSample },
]

export function samplesOf(document: Document, placed: PlacedOperation): { language: SampleLanguage; source: string }[] {
  const call = sampleCall(document, placed)
  return sampleLanguages.map((language) => ({ language, source: language.write(call) }))
}
