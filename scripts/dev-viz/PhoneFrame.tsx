/** Shows the page in a frame of the size of a phone. Media queries inside see the size of the frame. */
export const PhoneFrame = () => {
  const query = new URLSearchParams(window.location.search)
  query.delete("size")
  query.set("tools", "off")
  return (
    <iframe
      title="Map on a phone"
      src={`?${query}`}
      width={390}
      height={844}
      className="my-4 ml-8 block rounded-lg border border-line"
    />
  )
}
