import type { RefObject } from "react"

/** The hovered topic over the scene: links, glow, disc and ring, which HoverLayer places. */
export const Marker = ({ picture }: { picture: RefObject<SVGSVGElement | null> }) => (
  <svg
    ref={picture}
    aria-hidden="true"
    style={{ display: "none" }}
    className="pointer-events-none absolute inset-0 size-full"
  >
    <g>
      <g strokeWidth="1.25" opacity="0.85" />
      <radialGradient id="marker-glow">
        <stop offset="0" stopColor="currentColor" stopOpacity="0.5" />
        <stop offset="0.35" stopColor="currentColor" stopOpacity="0.24" />
        <stop offset="0.65" stopColor="currentColor" stopOpacity="0.06" />
        <stop offset="1" stopColor="currentColor" stopOpacity="0" />
      </radialGradient>
      <circle fill="url(#marker-glow)" />
      <circle fill="currentColor" />
      <circle fill="none" className="stroke-ink" strokeOpacity="0.75" />
    </g>
  </svg>
)
