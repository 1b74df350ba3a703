const MAX_SHOWN = 2

/** The tags of a recording in one line. Those that do not fit are in the tooltip. */
export const TagList = ({ tags }: { tags: readonly string[] }) =>
  tags.length === 0 ? null : (
    <span className="flex shrink-0 items-center gap-1 max-sm:hidden" title={tags.join(", ")}>
      {tags.slice(0, MAX_SHOWN).map((tag) => (
        <bdi key={tag} className="max-w-28 truncate rounded-full border border-line px-2 text-xs text-muted">
          {tag}
        </bdi>
      ))}
      {tags.length > MAX_SHOWN && <span className="text-xs text-muted">+{tags.length - MAX_SHOWN}</span>}
    </span>
  )
