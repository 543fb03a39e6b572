// Writes generated/wire.ts, the types of the protocol and the few constants that client and server share, from the JSON
// schema on standard input (python -m pli.server.http.export).
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text as all } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

const schema = JSON.parse(await all(process.stdin));
const definitions = schema.$defs;

/** The server sends every field that has a default or is required; only messages from the page may leave out the
 *  former. */
const optional = new Set(['NewTable', 'TakeSeat']);
for (const { $ref } of definitions.FromPage.anyOf) optional.add($ref.split('/').pop());
for (const [name, each] of Object.entries(definitions)) {
  each.title = name; // a type is named like its definition
  if (each.properties && !optional.has(name)) {
    const { properties, required = [] } = each;
    each.required = Object.keys(properties).filter((key) => required.includes(key) || 'default' in properties[key] || properties[key].enum?.length === 1);
  }
}

/** Without defaults beside a $ref, which would make a second type of the same; a plain object may hold anything, and so
 *  may what is only described. */
function bare(value) {
  if (Array.isArray(value)) return value.map(bare);
  if (!value || typeof value !== 'object') return value;
  if (value.$ref) return { $ref: value.$ref };
  if (value.type === 'object' && !value.properties && value.additionalProperties === undefined) {
    return { ...value, additionalProperties: true };
  }
  if (typeof value.description === 'string' && Object.keys(value).length === 1) {
    return { ...value, tsType: 'unknown' };
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, bare(each)]));
}

const text = await compile(bare(schema), 'Wire', {
  unreachableDefinitions: true,
  additionalProperties: false,
  format: false,
  ignoreMinAndMaxItems: true,
  bannerComment: '// Made by scripts/types.mjs from the schema of the server. Not to be edited.',
});
const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'generated');
mkdirSync(folder, { recursive: true });
const noise = / \* \n \* This interface was referenced by[^\n]*\n[^\n]*\n|\/\*\*\n \* This interface was referenced by[^\n]*\n[^\n]*\n \*\/\n/g;
/** The constants: types of which there is only one value. */
const values = Object.entries(definitions).flatMap(([name, { properties = {} }]) => {
  const parts = Object.entries(properties).map(([key, each]) => [key, each.const]);
  if (parts.length === 0 || parts.some(([, value]) => value === undefined)) return [];
  return `export const ${name.toUpperCase()}: ${name} = ${JSON.stringify(Object.fromEntries(parts))};\n`;
});
writeFileSync(join(folder, 'wire.ts'), text.replace(noise, '') + values.join(''));
