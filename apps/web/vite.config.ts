import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunks } from './build/chunks.ts'
import { compressedFiles } from './build/compressed.ts'
import { screenFrames } from './build/frames.ts'
import { prerenderLanding } from './build/landing.ts'
import { loadingOrder } from './build/order.ts'
import { slimPhonePlans } from './build/phone-plans.ts'
import { pagePreloads } from './build/preloads.ts'

/** Where `npm run dev` has the api. */
const backend = process.env['API_ORIGIN'] ?? 'http://localhost:3000'
const machinePaths = ['/api', '/mcp', '/health', '/livez', '/readyz', '/dev']
const proxy = {
  ...Object.fromEntries(machinePaths.map((path) => [path, backend])),
  '/ws': { target: backend.replace('http', 'ws'), ws: true },
}

export default defineConfig(({ command }) => {
  // What is built is what ships, whoever builds it: a test runner's NODE_ENV must not bring in React's development
  // code.
  if (command === 'build') process.env.NODE_ENV = 'production'
  return {
    plugins: [
      slimPhonePlans(),
      react(),
      tailwindcss(),
      loadingOrder(),
      prerenderLanding(),
      screenFrames(),
      pagePreloads(),
      compressedFiles(),
    ],
    server: { proxy },
    preview: { proxy },
    build: {
      // Everything is a file of its own: the content policy forbids inlined scripts and data.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: ['index.html', 'landing.html'],
        output: { codeSplitting: { groups: chunks } },
      },
    },
  }
})
