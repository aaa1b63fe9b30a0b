export { engineFacts } from './dialects/engine_facts.ts'
