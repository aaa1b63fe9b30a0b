import type { BlockStatement, ClassBody, Node, Program } from '@babel/types'
import { releaseDates } from '../../../generated/operations.ts'
import { callValue } from './call_values.ts'
import type { CheckState } from './check_state.ts'
import { importedFile, type CodeFile } from './code_files.ts'
import { operationOfNames } from './operation_names.ts'
import { CodeScope } from './code_scope.ts'
import {
  oneOfValues,
  trackedItem,
  type FunctionNode,
  type OperationCall,
  type TrackedValue,
  type WrittenObject,
} from './tracked_value.ts'
import { innerNodes, nameChain, propertyKey, type MemberNode } from './syntax.ts'
import { TypesInCode } from './types_in_code.ts'
import type { ValueWalk } from './value_walk.ts'

const DATES: readonly string[] = releaseDates
export class FileWalk implements ValueWalk {
  readonly state: CheckState
  readonly file: CodeFile
  readonly unread = new WeakSet<Node>()
  readonly #types: TypesInCode
  /** Methods of the classes of this file. */
  readonly #methods = new Map<string, TrackedValue>()
  #returned: (TrackedValue | undefined)[] = []

  constructor(state: CheckState, file: CodeFile) {
    this.state = state
    this.file = file
    this.#types = new TypesInCode(state.pair)
  }

  walk(): void {
    const scope = new CodeScope()
    this.state.tops.set(this.file.path, scope)
    this.#statements(this.file.program, scope)
  }

  lost(node: Node, subjects: readonly string[], call: OperationCall | undefined): void {
    this.state.findings.lost(this.file.path, node, subjects, call)
  }

  value(node: Node | null | undefined, scope: CodeScope): TrackedValue | undefined {
    if (!node) return undefined
    switch (node.type) {
      case 'Identifier':
        return scope.get(node.name)
      case 'StringLiteral':
        return this.#text(node, node.value)
      case 'TemplateLiteral':
        for (const part of node.expressions) this.value(part, scope)
        return { kind: 'text', text: node.quasis.map(({ value }) => value.cooked ?? '').join('{}'), node }
      case 'AwaitExpression':
      case 'YieldExpression':
        return this.value(node.argument, scope)
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
      case 'TSInstantiationExpression':
        return this.value(node.expression, scope)
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion': {
        const value = this.value(node.expression, scope)
        return this.#types.valueOf(node.typeAnnotation) ?? value
      }
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.#method(node) ?? this.memberValue(node, this.value(node.object, scope), scope)
      case 'CallExpression':
      case 'OptionalCallExpression':
      case 'NewExpression':
        return callValue(this, node, scope)
      case 'ObjectExpression':
        return this.#object(node, scope)
      case 'ArrayExpression':
        return { kind: 'list', items: node.elements.map((item) => this.value(item, scope)) }
      case 'SpreadElement':
        return trackedItem(this.value(node.argument, scope))
      case 'ConditionalExpression':
        this.value(node.test, scope)
        return oneOfValues([this.value(node.consequent, scope), this.value(node.alternate, scope)])
      case 'LogicalExpression':
        return oneOfValues([this.value(node.left, scope), this.value(node.right, scope)])
      case 'SequenceExpression':
        return node.expressions.map((one) => this.value(one, scope)).at(-1)
      case 'AssignmentExpression':
        return this.#assigned(node, scope)
      case 'BinaryExpression':
        return this.#compared(node, scope)
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
      case 'ObjectMethod':
      case 'ClassMethod':
      case 'ClassPrivateMethod':
        return this.#function(node, scope)
      default:
        return this.#statement(node, scope)
    }
  }

  call(node: FunctionNode, scope: CodeScope, given: readonly (TrackedValue | undefined)[]): TrackedValue | undefined {
    const inner = new CodeScope(scope)
    node.params.forEach((parameter, index) => this.bind(parameter, given[index], inner))
    const outer = this.#returned
    this.#returned = []
    const value = this.value(node.body, inner)
    const returned = oneOfValues(node.body.type === 'BlockStatement' ? this.#returned : [value])
    this.#returned = outer
    this.state.returned.set(node, returned)
    return returned
  }

  required(source: string): TrackedValue | undefined {
    const file = importedFile(this.state.codeBase, this.file.path, source)
    return file && this.state.tops.get(file.path)?.get('module.exports')
  }

  /** Binds the names of a destructuring pattern to the parts of a value. */
  bind(pattern: Node | null | undefined, value: TrackedValue | undefined, scope: CodeScope): void {
    switch (pattern?.type) {
      case 'Identifier':
        return scope.declare(pattern.name, this.#types.annotated(pattern) ?? value)
      case 'TSParameterProperty':
        return this.bind(pattern.parameter, value, scope)
      case 'AssignmentPattern':
        return this.bind(pattern.left, oneOfValues([value, this.value(pattern.right, scope)]), scope)
      case 'RestElement':
        return this.bind(pattern.argument, value, scope)
      case 'ArrayPattern':
        return pattern.elements.forEach((item, index) =>
          this.bind(item, value?.kind === 'list' ? value.items[index] : trackedItem(value), scope),
        )
      case 'ObjectPattern': {
        const whole = this.#types.annotated(pattern) ?? value
        for (const property of pattern.properties) {
          if (property.type === 'RestElement') this.bind(property.argument, whole, scope)
          else {
            const name = propertyKey(property.key, property.computed)
            this.bind(property.value, name === undefined ? undefined : this.member(whole, name, property.key), scope)
          }
        }
      }
    }
  }

  /** A property of a value. Reports it if only the older contract has it. @param node where the code names it */
  member(value: TrackedValue | undefined, name: string, node: Node): TrackedValue | undefined {
    switch (value?.kind) {
      case 'received': {
        if (value.shape.losesKey(name)) this.lost(node, [name], value.call)
        const shape = value.shape.member(name)
        return shape && { ...value, shape }
      }
      case 'object':
        return value.members.get(name)?.value ?? oneOfValues(value.spread.map((one) => this.member(one, name, node)))
      case 'either':
        return oneOfValues(value.of.map((one) => this.member(one, name, node)))
      case undefined:
        if (this.state.pair.distinct.received.has(name)) this.state.findings.suspicious(this.file.path, node, name)
    }
    return undefined
  }

  memberValue(node: MemberNode, object: TrackedValue | undefined, scope: CodeScope): TrackedValue | undefined {
    if (node.computed) this.value(node.property, scope)
    const name = propertyKey(node.property, node.computed)
    if (name === undefined) return trackedItem(object)
    const own = node.object.type === 'ThisExpression' ? this.#methods.get(name) : undefined
    return own ?? this.member(object, name, node.property)
  }

  #text(node: Node, text: string): TrackedValue {
    const line = node.loc?.start.line ?? 0
    if (DATES.includes(text))
      this.state.dates.set(`${this.file.path}:${line}:${text}`, { file: this.file.path, line, date: text })
    const { sent, received } = this.state.pair.distinct
    if (sent.has(text) || received.has(text)) this.state.findings.suspicious(this.file.path, node, text)
    return { kind: 'text', text, node }
  }

  /** A method that performs an operation, where the code names it without calling it. */
  #method(node: MemberNode): TrackedValue | undefined {
    const names = nameChain(node)
    const found = operationOfNames(names)
    if (!found || found.length < 2 || names.length === found.length) return undefined
    return { kind: 'method', id: found.id }
  }

  #object(node: Extract<Node, { type: 'ObjectExpression' }>, scope: CodeScope): WrittenObject {
    const members = new Map<string, { key: Node; value: TrackedValue | undefined }>()
    const spread: (TrackedValue | undefined)[] = []
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') spread.push(this.value(property.argument, scope))
      else {
        const name = propertyKey(property.key, property.computed)
        const value = this.value(property.type === 'ObjectMethod' ? property : property.value, scope)
        if (name === undefined) spread.push(undefined)
        else {
          members.set(name, { key: property.key, value })
          if (this.state.pair.distinct.sent.has(name)) this.state.findings.suspicious(this.file.path, property.key, name)
        }
      }
    }
    return { kind: 'object', node, members, spread }
  }

  #function(node: FunctionNode, scope: CodeScope): TrackedValue {
    this.call(node, scope, this.state.parameters.get(node) ?? [])
    return { kind: 'function', node }
  }

  #assigned(node: Extract<Node, { type: 'AssignmentExpression' }>, scope: CodeScope): TrackedValue | undefined {
    const value = this.value(node.right, scope)
    if (node.left.type === 'Identifier') scope.assign(node.left.name, value)
    else if (node.left.type === 'ObjectPattern' || node.left.type === 'ArrayPattern') this.bind(node.left, value, scope)
    else if (nameChain(node.left).join('.') === 'module.exports') scope.assign('module.exports', value)
    else this.value(node.left, scope)
    return value
  }

  /** A comparison, or the test whether an object has a property. */
  #compared(node: Extract<Node, { type: 'BinaryExpression' }>, scope: CodeScope): undefined {
    const left = node.left.type === 'PrivateName' ? undefined : this.value(node.left, scope)
    const right = this.value(node.right, scope)
    if (node.operator === 'in') return void (left?.kind === 'text' && this.member(right, left.text, node.left))
    this.#losesValue(left, right)
    this.#losesValue(right, left)
  }

  #losesValue(value: TrackedValue | undefined, text: TrackedValue | undefined): void {
    if (value?.kind === 'received' && text?.kind === 'text' && value.shape.losesValue(text.text))
      this.lost(text.node, [text.text], value.call)
  }

  #statement(node: Node, scope: CodeScope): undefined {
    switch (node.type) {
      case 'ImportDeclaration':
        return this.#imported(node, scope)
      case 'Program':
      case 'BlockStatement':
      case 'StaticBlock':
        return this.#statements(node, new CodeScope(scope))
      case 'ClassBody':
        return this.#classBody(node, scope)
      case 'ExpressionStatement':
        this.unread.add(node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression)
        return void this.value(node.expression, scope)
      case 'VariableDeclarator':
        return void this.bind(node.id, this.value(node.init, scope), scope)
      case 'ExportDefaultDeclaration':
        return void scope.declare('default', this.value(node.declaration, scope))
      case 'ReturnStatement':
        return void this.#returned.push(this.value(node.argument, scope))
      case 'ForOfStatement': {
        const items = trackedItem(this.value(node.right, scope))
        const inner = new CodeScope(scope)
        this.bind(node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left, items, inner)
        return void this.value(node.body, inner)
      }
      case 'SwitchStatement': {
        const value = this.value(node.discriminant, scope)
        for (const one of node.cases) {
          this.#losesValue(value, this.value(one.test, scope))
          for (const statement of one.consequent) this.value(statement, scope)
        }
        return undefined
      }
    }
    for (const child of innerNodes(node)) this.value(child, scope)
    return undefined
  }

  #statements({ body }: Program | BlockStatement | Extract<Node, { type: 'StaticBlock' }>, scope: CodeScope): undefined {
    const declared = body.flatMap((one) =>
      one.type === 'ExportNamedDeclaration' || one.type === 'ExportDefaultDeclaration' ? (one.declaration ?? []) : one,
    )
    for (const node of declared)
      if (node.type === 'FunctionDeclaration') scope.declare(node.id?.name ?? 'default', { kind: 'function', node })
    for (const statement of body) this.value(statement, scope)
  }

  #classBody({ body }: ClassBody, scope: CodeScope): undefined {
    for (const node of body)
      if (node.type === 'ClassMethod' && node.key.type === 'Identifier')
        this.#methods.set(node.key.name, { kind: 'function', node })
    for (const node of body) for (const child of node.type === 'ClassMethod' ? [node] : innerNodes(node)) this.value(child, scope)
  }

  #imported({ source, specifiers }: Extract<Node, { type: 'ImportDeclaration' }>, scope: CodeScope): undefined {
    const file = importedFile(this.state.codeBase, this.file.path, source.value)
    for (const { local, ...specifier } of specifiers) {
      const { imported } = specifier as { readonly imported?: Node }
      const name = (imported && propertyKey(imported, false)) ?? 'default'
      if (file) scope.declare(local.name, this.state.tops.get(file.path)?.get(name))
      else if (!source.value.startsWith('.')) this.#types.imported.set(local.name, name)
    }
  }
}
