type ByTheme = { readonly dark: number; readonly light: number }
export type LabelFont = { readonly sizeRem: number; readonly weight: number }

/** Sizes of discs. Lengths are in CSS pixels, factors in radii of the disc. */
export type PointLook = {
  readonly scale: number
  readonly minRadiusPx: number
  readonly maxRadiusPx: number
  /** Search hits are not drawn smaller. */
  readonly minHitRadiusPx: number
  readonly dimmedScale: number
  /** Share of their color that dimmed discs and links keep. */
  readonly dimmedOpacity: number
  /** The open and the hovered topic are drawn larger. */
  readonly emphasisScale: number
  readonly emphasisMinRadiusPx: number
  /** Inner and outer radius of the ring around the open topic. */
  readonly ringInner: number
  readonly ringOuter: number
  /** Radius and width of the ring around the hovered topic. */
  readonly hoverRingRadius: number
  readonly hoverRingWidth: number
  /** Brightness of the highlight in the middle of a disc. */
  readonly sheen: ByTheme
}

export type LabelLook = {
  readonly maxCount: { readonly phone: number; readonly wide: number }
  /** Topics with a wider title get no label. */
  readonly maxTopicWidthPx: number
  /** Share of the color of a region in its label; the rest is the color of text. */
  readonly regionColorShare: number
  readonly heightPx: number
  readonly gapPx: number
  readonly outlinePx: number
  /** The opacity of the farthest labels. */
  readonly minOpacity: number
  /** Smaller discs get no label of their own. */
  readonly minDiscRadiusPx: number
  /** A region is labeled while its radius on the screen is in this range, by depth. Otherwise a larger or smaller one is. */
  readonly minRegionRadiusPx: readonly number[]
  readonly maxRegionRadiusPx: readonly number[]
  readonly largeRegionFont: LabelFont
  readonly middleRegionFont: LabelFont
  readonly recordingFont: LabelFont
  readonly topicFont: LabelFont
}

/** The haze in the colors of the points, which shows regions as areas. */
export type HazeLook = {
  /** Share of the color of a region where its points are dense. */
  readonly strength: ByTheme
  /** The same if the map is colored by a property that does not depend on the place. */
  readonly otherStrength: ByTheme
  /** The radius around a point in which it contributes, relative to the default. */
  readonly kernel: number
  /** How quickly the haze saturates with the density of the points. */
  readonly gain: number
  /** Strength of the contour lines, as a share of the haze. */
  readonly contour: number
}

/** Sizes and strengths of everything in the scene. Colors of the page come from globals.css, colors of groups from palette.ts. */
export type Look = {
  readonly point: PointLook
  readonly glow: {
    readonly strength: ByTheme
    /** Radius of a glow, in radii of its disc. */
    readonly reach: number
  }
  readonly haze: HazeLook
  readonly edge: {
    readonly opacity: ByTheme
    /** Edges of the open topic. */
    readonly openOpacity: number
    /** Share of the text color that is mixed into edges of the open topic. */
    readonly openInkShare: number
    /** The line through the topics of the highlighted recording. */
    readonly pathOpacity: number
    readonly pathInkShare: number
  }
  readonly label: LabelLook
}

export const LOOK: Look = {
  point: {
    scale: 1,
    minRadiusPx: 1.6,
    maxRadiusPx: 17,
    minHitRadiusPx: 5,
    dimmedScale: 0.8,
    emphasisScale: 1.15,
    emphasisMinRadiusPx: 5.5,
    ringInner: 1.42,
    ringOuter: 1.72,
    hoverRingRadius: 1.5,
    hoverRingWidth: 0.18,
    dimmedOpacity: 0.15,
    sheen: { dark: 0.3, light: 0.12 },
  },
  glow: { strength: { dark: 0.62, light: 0.3 }, reach: 4 },
  haze: {
    strength: { dark: 0.26, light: 0.3 },
    otherStrength: { dark: 0.08, light: 0.1 },
    kernel: 1.8,
    gain: 0.5,
    contour: 0.5,
  },
  edge: {
    opacity: { dark: 0.2, light: 0.26 },
    openOpacity: 0.9,
    openInkShare: 0.25,
    pathOpacity: 0.6,
    pathInkShare: 0.5,
  },
  label: {
    maxCount: { phone: 9, wide: 26 },
    maxTopicWidthPx: 280,
    regionColorShare: 0.4,
    heightPx: 20,
    gapPx: 7,
    outlinePx: 3.5,
    minOpacity: 0.7,
    minDiscRadiusPx: 7,
    minRegionRadiusPx: [0, 46, 34],
    maxRegionRadiusPx: [430, 340, 300],
    largeRegionFont: { sizeRem: 1.0625, weight: 640 },
    middleRegionFont: { sizeRem: 0.9375, weight: 640 },
    recordingFont: { sizeRem: 0.875, weight: 640 },
    topicFont: { sizeRem: 0.78125, weight: 520 },
  },
}
