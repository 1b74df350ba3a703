import { Canvas, type ThreeEvent, useFrame, useThree } from "@react-three/fiber"
import { useEffect, useMemo, useState } from "react"
import { OrbitControls } from "three/addons/controls/OrbitControls.js"
import type { TopicPoint } from "#lib/domain/map.ts"

const SIZES = [0.6, 0.35, 0.2] as const
const COLORS = ["#ff7f57", "#5fb7c9", "#9aa86a"] as const

type LevelProps = { points: readonly TopicPoint[]; level: number; onHover: (title: string | null) => void }

const Level = ({ points, level, onHover }: LevelProps) => {
  const own = useMemo(() => points.filter((p) => p.level === level), [points, level])
  const positions = useMemo(() => Float32Array.from(own.flatMap((p) => [p.x, p.y, p.z])), [own])
  const move = (event: ThreeEvent<PointerEvent>) => onHover(own[event.index ?? -1]?.topic_title ?? null)
  return (
    <points onPointerMove={move} onPointerOut={() => onHover(null)}>
      <bufferGeometry>
        <bufferAttribute attach="attributes-position" args={[positions, 3]} />
      </bufferGeometry>
      <pointsMaterial size={SIZES[level - 1] ?? 0.2} color={COLORS[level - 1] ?? "white"} transparent opacity={0.9} />
    </points>
  )
}

const Controls = () => {
  const camera = useThree((s) => s.camera)
  const element = useThree((s) => s.gl.domElement)
  const controls = useMemo(() => Object.assign(new OrbitControls(camera), { enableDamping: true }), [camera])
  useEffect(() => {
    controls.connect(element)
    return () => controls.dispose()
  }, [controls, element])
  useFrame(() => {
    controls.update()
  })
  return null
}

/** A straightforward implementation for comparison: one points object per level, a ray cast per pointer move, continuous frames. */
export const NaiveScene = ({ points }: { points: readonly TopicPoint[] }) => {
  const [hovered, setHovered] = useState<string | null>(null)
  return (
    <div className="map-ground fixed inset-0">
      <Canvas
        camera={{ position: [14, 12, 28], fov: 42 }}
        raycaster={{ params: { Points: { threshold: 0.3 } } as never }}
      >
        {[1, 2, 3].map((level) => (
          <Level key={level} points={points} level={level} onHover={setHovered} />
        ))}
        <Controls />
      </Canvas>
      {hovered && <p className="fixed top-2 left-2">{hovered}</p>}
    </div>
  )
}
