import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DOMParser, type Document } from '@xmldom/xmldom'
import plist, { type PlistValue } from 'plist'
import { MOBILE } from './sync.ts'

// How the tests read the files of both projects.

export const text = (path: string) => readFileSync(join(MOBILE, path), 'utf8')

/** @throws Error at anything that is not well-formed */
export function xml(path: string): Document {
  const refuse = (_level: string, message: string): never => {
    throw new Error(`${path}: ${message}`)
  }
  return new DOMParser({ onError: refuse }).parseFromString(text(path), 'text/xml')
}

/** A property list, its `$(NAME)` replaced by `settings`. */
export function propertyList(
  path: string,
  settings: Readonly<Record<string, string>> = {},
): Record<string, PlistValue> {
  xml(path)
  const expanded = text(path).replaceAll(/\$\((\w+)\)/g, (whole, name: string) => settings[name] ?? whole)
  return Object.fromEntries(Object.entries(plist.parse(expanded)))
}

/** The settings of an .xcconfig with those that it includes; a later one wins. */
export function buildSettings(path: string): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const line of text(path).split('\n')) {
    const included = /^#include "(.+)"$/.exec(line)?.[1]
    if (included !== undefined) Object.assign(settings, buildSettings(join(path, '..', included)))
    const [, name, value] = /^(\w+) = (.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) settings[name] = value
  }
  return settings
}

/** The content of the files below a folder by their paths in it. */
export function filesOf(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort()
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path, 'base64')]))
}
