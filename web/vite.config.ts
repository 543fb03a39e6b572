// The build: into the Python package, without inlined assets (the Content-Security-Policy allows none), with messages
// compiled to functions and the pages of rules turned into HTML.
import { copyFile, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin, Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';
import { moduleOf, pageOf } from './scripts/pages.mjs';
import { serviceWorker } from './scripts/precache.mjs';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `import html from './rules.en.md?html'`: a page of rules as HTML. */
function pages(): Plugin {
  return {
    name: 'pages',
    enforce: 'pre',
    transform(text, id) {
      const [, game, language] = /games\/(\w+)\/texts\/rules\.(\w+)\.md\?html$/.exec(id) ?? [];
      if (!game || !language) return null;
      return { code: moduleOf(pageOf(text, language), here(`./src/games/${game}`)), map: null };
    },
  };
}

/** Preload tags for the chunk of a source file that the page would import next, with all its imports and styles. */
function preloads(bundle: Rolldown.OutputBundle, source: string, page: string): string {
  const parts = new Set<string>();
  const styles = new Set<string>();
  const gather = (name: string) => {
    const part = bundle[name];
    if (part?.type !== 'chunk' || parts.has(name) || page.includes(name)) return;
    parts.add(name);
    part.viteMetadata?.importedCss.forEach((style) => styles.add(style));
    part.imports.forEach(gather);
  };
  for (const part of Object.values(bundle)) {
    if (part.type === 'chunk' && part.facadeModuleId?.endsWith(source)) gather(part.fileName);
  }
  return [
    ...[...styles].map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`),
    ...[...parts].map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
  ].join('\n    ');
}

/** Preloads fonts, which would otherwise be requested only after the styles, and on `table.html` the code of tables;
 * adds the grounds of link previews; makes the service worker; and stores every file compressed as well, so that the server need not compress on each request. */
function finish(): Plugin {
  const text = /\.(js|css|svg|html|webmanifest)$/;
  let folder = '';
  return {
    name: 'finish',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir;
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => name.endsWith('.woff2'))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
    async writeBundle(_, bundle) {
      const page = await readFile(join(folder, 'index.html'), 'utf8');
      const links = preloads(bundle, '/src/pages/TablePage.svelte', page);
      if (!links) throw new Error('the chunk of TablePage.svelte was not found');
      const previews = here('./generated/previews');
      for (const name of (await readdir(previews)).filter((each) => each.endsWith('.svg'))) await copyFile(join(previews, name), join(folder, name));
      const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
      await writeFile(join(folder, 'sw.js'), serviceWorker(await readFile(here('./worker/service-worker.js'), 'utf8'), names, page));
      await writeFile(join(folder, 'table.html'), page.replace('</head>', `  ${links}\n  </head>`));
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true });
      await Promise.all(
        files
          .filter((name) => text.test(name))
          .map(async (name) => {
            const path = join(folder, name);
            const content = await readFile(path);
            await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }));
            await writeFile(`${path}.br`, brotliCompressSync(content));
          }),
      );
    },
  };
}

/** All that a source file imports statically, and what that imports, itself included. */
function imported(source: string, context: Rolldown.ChunkingContext): Set<string> {
  const found = new Set<string>();
  const gather = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    context.getModuleInfo(id)?.importedIds.forEach(gather);
  };
  gather(source);
  return found;
}

/** What every table needs and the first page does not, as one chunk: each small one of its own would cost a table on a
 * slow line a round trip for every six. What rules pages share with tables stays apart. */
function tableChunk(): Rolldown.CodeSplittingGroup {
  let shared: Set<string> | undefined;
  return {
    debugName: 'table',
    name: (id, context) => {
      if (!shared) {
        const apart = imported(here('./src/table/RulesText.svelte'), context);
        const page = here('./src/pages/TablePage.svelte');
        shared = new Set([...imported(page, context)].filter((each) => each !== page && !apart.has(each)));
      }
      return shared.has(id) ? 'table' : null;
    },
  };
}

export default defineConfig({
  plugins: [
    pages(),
    paraglideVitePlugin({
      project: './project.inlang',
      outdir: './generated/texts',
      strategy: ['globalVariable', 'baseLocale'],
      outputStructure: 'message-modules',
      isServer: 'false',
      emitGitIgnore: false,
      emitPrettierIgnore: false,
    }),
    svelte(),
    finish(),
  ],
  resolve: {
    // `$net/api` is src/net/api: each folder of src by its name.
    alias: [
      { find: '$generated', replacement: here('./generated') },
      { find: /^\$(\w+)\//, replacement: `${here('./src')}/$1/` },
    ],
    conditions: process.env.VITEST ? ['browser'] : undefined,
  },
  build: {
    outDir: process.env.PLI_WEB_OUT ?? here('../src/pli/server/static'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'], priority: 1 }, tableChunk()] } },
    },
  },
  server: { proxy: { '/api': { target: process.env.PLI_SERVER ?? 'http://127.0.0.1:8420', ws: true } }, fs: { allow: ['..'] } },
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
});
