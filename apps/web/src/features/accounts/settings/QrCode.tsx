import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'

/** Quiet modules around the code, which scanners need. */
const MARGIN = 4

/** Dark on light in every theme: not every camera reads inverted codes. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = generate(text)
  const size = code.size + 2 * MARGIN
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-MARGIN} ${-MARGIN} ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 rounded-base border border-line bg-scan-paper text-scan"
    >
      <path d={toSvgPath(code)} fill="currentColor" />
    </svg>
  )
}
