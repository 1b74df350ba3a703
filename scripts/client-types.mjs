// Writes the type declarations of the client package. In the sources, types derive from schemas, so that their
// declarations need zod. These are plain types with the descriptions of the OpenAPI document.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { root } from "./setup.mjs"

const { TypeFlags, SymbolFlags } = ts

/** Returns functions that look up descriptions in docs/openapi.json. */
const readDescriptions = () => {
  const { components, paths } = JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8"))
  const resolve = (schema) => {
    if (schema?.$ref) return resolve(components.schemas[schema.$ref.split("/").at(-1)])
    const variants = schema?.anyOf?.filter(({ type }) => type !== "null") ?? []
    return variants.length === 1 ? resolve(variants[0]) : schema
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId, summary, parameters = [], requestBody }) => {
      const query = parameters.map(({ name, description }) => [name, { description }])
      const input = requestBody?.content["application/json"]?.schema ?? { properties: Object.fromEntries(query) }
      return [operationId, { summary, input, pathNames: path.match(/(?<=\{)\w+(?=\})/g) ?? [] }]
    }),
  )
  return {
    operations: new Map(operations),
    namedSchema: (name) => resolve(components.schemas[name]),
    propertyOf: (schema, name) => resolve(schema)?.properties?.[name],
    itemsOf: (schema) => resolve(schema)?.items,
  }
}

const toCamelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())

const comment = (text, indent) => {
  if (!text) return ""
  const lines = text.replaceAll("*/", "*\\/").split("\n")
  if (lines.length === 1) return `${indent}/** ${text} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`
}

const quoteName = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const openProgram = (entry) => {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  return ts.createProgram([entry], { ...options, incremental: false, types: [] })
}

/**
 * Returns declarations of everything that the module `entry` exports.
 * @param routes the routes of the client by operation ID
 * @throws Error if the response of a method has no exported type
 */
export const writeClientTypes = (entry, routes) => {
  const program = openProgram(entry)
  const checker = program.getTypeChecker()
  const { operations, namedSchema, propertyOf, itemsOf } = readDescriptions()
  const operationOf = new Map(Object.entries(routes).map(([id, { call }]) => [call, operations.get(id)]))

  const exports = checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)))
    .map((symbol) => ({
      name: symbol.name,
      symbol: symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const exportedNames = new Map(
    exports
      .filter(({ symbol }) => symbol.flags & SymbolFlags.Type)
      .map(({ name, symbol }) => [checker.getDeclaredTypeOfSymbol(symbol), name]),
  )
  const isGlobal = (symbol) =>
    symbol?.declarations?.some(
      (d) => program.isSourceFileDefaultLibrary(d.getSourceFile()) && !ts.isMappedTypeNode(d),
    ) ?? false

  /** The schemas of exported types, noted where such a type is part of another. */
  const schemas = new Map()

  /** Returns a type as text, by its name if it has one. */
  const print = (type, context) => {
    const name = exportedNames.get(type)
    if (name === undefined) return printContent(type, context)
    if (context.schema && !schemas.has(name)) schemas.set(name, context.schema)
    return name
  }

  const printContent = (type, context) => {
    if (type.isUnion()) return printUnion(type, context)
    if (!(type.flags & (TypeFlags.Object | TypeFlags.Intersection))) return checker.typeToString(type)
    if (checker.isTupleType(type)) return printTuple(type, context)
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type)
      const text = print(item, { ...context, schema: itemsOf(context.schema) })
      const prefix = type.symbol.name === "ReadonlyArray" ? "readonly " : ""
      return `${prefix}${/^[\w.]+$/.test(text) ? text : `(${text})`}[]`
    }
    if (type.isIntersection() && type.types.every((part) => exportedNames.has(part)))
      return type.types.map((part) => exportedNames.get(part)).join(" & ")
    if (isGlobal(type.symbol)) {
      if (type.symbol.flags & SymbolFlags.Function) return `typeof ${type.symbol.name}`
      // Async generators return and take nothing, which are the defaults of the later arguments.
      const given = checker.getTypeArguments(type).slice(0, type.symbol.name === "AsyncGenerator" ? 1 : undefined)
      const texts = given.map((argument) => print(argument, context))
      return `${type.symbol.name}${texts.length > 0 ? `<${texts.join(", ")}>` : ""}`
    }
    const [signature] = type.getCallSignatures()
    return signature ? printSignature(signature, { ...context, arrow: " => " }) : printObject(type, context)
  }

  const printUnion = (type, context) => {
    const rest = checker.getNonNullableType(type)
    const has = (flag) => type.types.some((part) => part.flags & flag)
    const empty = [...(has(TypeFlags.Null) ? ["null"] : []), ...(has(TypeFlags.Undefined) ? ["undefined"] : [])]
    if (empty.length > 0) {
      const text = print(rest, context)
      return [rest.getCallSignatures().length > 0 ? `(${text})` : text, ...empty].join(" | ")
    }
    const texts = type.types.map((part) => print(part, context))
    const isBoolean = texts.includes("true") && texts.includes("false")
    return [
      ...texts.filter((text) => !isBoolean || !/^(true|false)$/.test(text)),
      ...(isBoolean ? ["boolean"] : []),
    ].join(" | ")
  }

  const printTuple = (type, context) =>
    `${type.target.readonly ? "readonly " : ""}[${checker
      .getTypeArguments(type)
      .map((part) => print(part, context))
      .join(", ")}]`

  /**
   * Returns the parameters of a signature. A rest parameter with a tuple stands for several, of which the first are
   * parameters of the path.
   */
  const listParameters = (signature, pathNames) =>
    signature.parameters.flatMap((parameter) => {
      const type = checker.getTypeOfSymbol(parameter)
      const { dotDotDotToken, questionToken, initializer } = parameter.valueDeclaration ?? {}
      if (!dotDotDotToken || !checker.isTupleType(type))
        return [{ name: parameter.name, type, isOptional: Boolean(questionToken ?? initializer) }]
      const { labeledElementDeclarations, elementFlags } = type.target
      return checker.getTypeArguments(type).map((part, i) => ({
        name: toCamelCase(pathNames[i] ?? labeledElementDeclarations[i].name.text),
        type: part,
        isOptional: Boolean(elementFlags[i] & ts.ElementFlags.Optional),
      }))
    })

  const printParameters = (signature, { indent, input, pathNames = [] }) =>
    listParameters(signature, pathNames).map(({ name, type, isOptional }) => {
      const given = isOptional ? checker.getNonNullableType(type) : type
      const text = print(given, { indent, schema: name === "input" ? input : undefined })
      // A destructured parameter has no name.
      return `${name.startsWith("__") ? "options" : name}${isOptional ? "?" : ""}: ${text}`
    })

  const printSignature = (signature, { arrow = ": ", ...context }) =>
    `(${printParameters(signature, context).join(", ")})${arrow}${print(signature.getReturnType(), context)}`

  const printMember = (property, { indent, schema }) => {
    const type = checker.getTypeOfSymbol(property)
    const described = propertyOf(schema, property.name)
    const own = ts.displayPartsToString(property.getDocumentationComment(checker))
    const isReadonly = property.declarations?.some((d) => ts.getCombinedModifierFlags(d) & ts.ModifierFlags.Readonly)
    const name = `${isReadonly ? "readonly " : ""}${quoteName(property.name)}`
    const mark = property.flags & SymbolFlags.Optional ? "?" : ""
    const text = print(type, { indent, schema: described })
    return `${comment(own || described?.description, indent)}${indent}${name}${mark}: ${text}\n`
  }

  const printObject = (type, { indent, schema }) => {
    const properties = checker.getPropertiesOfType(type)
    const [index] = checker.getIndexInfosOfType(type)
    if (properties.length === 0 && index)
      return `Record<${print(index.keyType, { indent })}, ${print(index.type, { indent })}>`
    if (properties.length === 0) return "object"
    const members = properties.map((property) => printMember(property, { indent: `${indent}  `, schema }))
    return `{\n${members.join("")}${indent}}`
  }

  /** Returns what a method resolves to or yields, without null. */
  const responseOf = (type) => {
    const isWrapper = ["Promise", "AsyncGenerator"].includes(type.symbol?.name)
    const inner = checker.getNonNullableType(isWrapper ? checker.getTypeArguments(type)[0] : type)
    return checker.isArrayType(inner) ? checker.getTypeArguments(inner)[0] : inner
  }

  /**
   * Returns the second signature of a method, which selects fields of the response or of one of its properties.
   * @param response what the method resolves to
   */
  const printSelecting = (selecting, complete, response, context) => {
    const [parameter] = selecting.typeParameters
    const names = [parameter.getConstraint()].flatMap((type) => type.types ?? type).map(({ value }) => value)
    const has = (type) => names.every((name) => checker.getPropertyOfType(type, name))
    const responseName = exportedNames.get(response)
    const parts = checker.getPropertiesOfType(response).map((part) => {
      const type = checker.getTypeOfSymbol(part)
      const isList = checker.isArrayType(type)
      return { name: part.name, isList, entry: isList ? checker.getTypeArguments(type)[0] : type }
    })
    const part = has(response) ? undefined : parts.find(({ entry }) => has(entry))
    const entryName = part ? exportedNames.get(part.entry) : responseName
    const picked = `Pick<${entryName}, F>`
    const selected = part
      ? `Omit<${responseName}, "${part.name}"> & { ${part.name}: ${picked}${part.isList ? "[]" : ""} }`
      : picked
    const isNullable = print(complete.getReturnType(), context).includes("| null")
    // The options are the last parameter.
    const options = printParameters(complete, context).at(-1).replace("?:", ":")
    const parameters = [
      ...printParameters(selecting, context).slice(0, -1),
      `${options} & { readonly fields: readonly F[] }`,
    ]
    return `<F extends keyof ${entryName}>(${parameters.join(", ")}): Promise<${selected}${isNullable ? " | null" : ""}>`
  }

  /** Returns true for a type such as Uint8Array, which every program knows. */
  const isOfTheLanguage = (type) =>
    type.symbol?.declarations?.some((node) =>
      /\/typescript\/lib\/|\/@types\/node\//.test(node.getSourceFile().fileName),
    ) ?? false

  const printMethod = (property) => {
    const [signature, selecting] = checker.getTypeOfSymbol(property).getCallSignatures()
    const response = responseOf(signature.getReturnType())
    if (response.flags & TypeFlags.Object && !exportedNames.has(response) && !isOfTheLanguage(response))
      throw new Error(`lib/api/client/types.ts exports no type for what ${property.name}() returns.`)
    const own = ts.displayPartsToString(property.getDocumentationComment(checker))
    const operation = operationOf.get(property.name)
    const context = { indent: "  ", ...operation }
    const complete = `  ${property.name}${printSignature(signature, context)}\n`
    const selected = selecting ? `  ${property.name}${printSelecting(selecting, signature, response, context)}\n` : ""
    return `${comment(own || operation?.summary, "  ")}${complete}${selected}`
  }

  const printClass = (symbol) => {
    const own = checker
      .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
      .filter((property) => property.parent === symbol)
    const [create] = checker.getTypeOfSymbol(symbol).getConstructSignatures()
    const parameters = printSignature(create, { indent: "  " }).replace(/: \w+$/, "")
    return `{\n${own.map((property) => printMember(property, { indent: "  " })).join("")}  constructor${parameters}\n}`
  }

  const printExport = ({ name, symbol }) => {
    const about = comment(ts.displayPartsToString(symbol.getDocumentationComment(checker)), "")
    if (symbol.flags & SymbolFlags.Class)
      return `${about}export declare class ${name} extends Error ${printClass(symbol)}\n`
    const type =
      symbol.flags & SymbolFlags.Type ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeOfSymbol(symbol)
    if (symbol.flags & SymbolFlags.Value) {
      const [signature] = type.getCallSignatures()
      return `${about}export declare function ${name}${printSignature(signature, { indent: "" })}\n`
    }
    if (name === "EarmarkClient")
      return `${about}export interface ${name} {\n${checker.getPropertiesOfType(type).map(printMethod).join("")}}\n`
    return `${about}export type ${name} = ${printContent(type, { indent: "", schema: namedSchema(name) ?? schemas.get(name) })}\n`
  }

  const printAll = () => exports.map(printExport).join("\n")
  // The first pass notes the schemas.
  printAll()
  return printAll()
}
