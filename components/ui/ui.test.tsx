// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from "@testing-library/react"
import { useState } from "react"
import { afterEach, describe, expect, it, vi } from "vitest"
import { renderPage } from "../testing/render-page.tsx"
import { Button, IconButton } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { Field } from "./Field.tsx"
import { Menu, MenuItem } from "./Menu.tsx"
import { Notice } from "./Notice.tsx"
import { Progress } from "./Progress.tsx"
import { Segmented } from "./Segmented.tsx"
import { Toasts } from "./Toasts.tsx"
import { notify, notifyError } from "./toast-queue.ts"

afterEach(cleanup)

describe("Button", () => {
  it("does not submit a form unless its type says so", async () => {
    const onSubmit = vi.fn((event: React.FormEvent) => event.preventDefault())
    const { user } = renderPage(
      <form onSubmit={onSubmit}>
        <Button>Cancel</Button>
        <Button type="submit">Save</Button>
      </form>,
    )
    await user.click(screen.getByRole("button", { name: "Cancel" }))
    expect(onSubmit).not.toHaveBeenCalled()
    await user.click(screen.getByRole("button", { name: "Save" }))
    expect(onSubmit).toHaveBeenCalledOnce()
  })
  it("ignores clicks and keys while disabled", async () => {
    const onClick = vi.fn()
    const { user } = renderPage(
      <Button disabled onClick={onClick}>
        Save
      </Button>,
    )
    await user.tab()
    await user.keyboard("{Enter}")
    screen.getByRole("button", { name: "Save" }).click()
    expect(onClick).not.toHaveBeenCalled()
  })
  it("names an icon button for screen readers", () => {
    renderPage(<IconButton name="trash" label="Delete recording" />)
    expect(screen.getByRole("button", { name: "Delete recording" }).title).toBe("Delete recording")
  })
})

const DialogExample = () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Rename</Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Rename recording" lead="Choose a title.">
        <Button>Help</Button>
        <Field label="Title" />
      </Dialog>
    </>
  )
}

describe("Dialog", () => {
  it("focuses its text field, closes on Escape and restores the focus", async () => {
    const { user } = renderPage(<DialogExample />)
    const opener = screen.getByRole("button", { name: "Rename" })
    await user.click(opener)
    const dialog = await screen.findByRole("dialog", { name: "Rename recording" })
    expect(dialog.textContent).toContain("Choose a title.")
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Title")))
    await user.keyboard("{Escape}")
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(opener))
  })
})

describe("Menu", () => {
  it("opens on click and selects an item with the keyboard", async () => {
    const onRename = vi.fn()
    const onDelete = vi.fn()
    const { user } = renderPage(
      <Menu trigger={<Button>Actions</Button>}>
        <MenuItem onSelect={onRename}>Rename</MenuItem>
        <MenuItem onSelect={onDelete} disabled>
          Delete
        </MenuItem>
      </Menu>,
    )
    expect(screen.getByRole("button", { name: "Actions" }).getAttribute("aria-haspopup")).toBe("menu")
    await user.click(screen.getByRole("button", { name: "Actions" }))
    // The first click loads the code of the menu.
    const rename = await screen.findByRole("menuitem", { name: "Rename" }, { timeout: 10_000 })
    expect(screen.getByRole("menuitem", { name: "Delete" }).getAttribute("aria-disabled")).toBe("true")
    await waitFor(() => expect(screen.getByRole("menu").contains(document.activeElement)).toBe(true))
    await user.keyboard("{Home}")
    await waitFor(() => expect(document.activeElement).toBe(rename))
    await user.keyboard("{Enter}")
    await waitFor(() => expect(onRename).toHaveBeenCalledOnce())
    expect(onDelete).not.toHaveBeenCalled()
  })
})

describe("Field", () => {
  it("connects the label, hint and error with the input", () => {
    renderPage(<Field label="Speakers" hint="1 to 50" error="Enter a number from 1 to 50" />)
    const input = screen.getByLabelText("Speakers")
    expect(input.getAttribute("aria-invalid")).toBe("true")
    const descriptions = (input.getAttribute("aria-describedby") ?? "").split(" ")
    expect(descriptions.map((id) => document.getElementById(id)?.textContent)).toEqual([
      "1 to 50",
      "Enter a number from 1 to 50",
    ])
  })
  it("keeps a hidden label for screen readers", () => {
    renderPage(<Field hideLabel label="Title" />)
    expect(screen.getByLabelText("Title")).toBeDefined()
    expect(screen.getByText("Title").className).toContain("sr-only")
  })
})

describe("Notice", () => {
  it("announces an error immediately and offers a retry", async () => {
    const onRetry = vi.fn()
    const { user } = renderPage(
      <Notice title="Couldn't load the recordings" onRetry={onRetry}>
        The database is locked.
      </Notice>,
    )
    expect(screen.getByRole("alert").textContent).toContain("The database is locked.")
    await user.click(screen.getByRole("button", { name: "Try again" }))
    expect(onRetry).toHaveBeenCalledOnce()
  })
  it("announces information politely", () => {
    renderPage(<Notice tone="plain">Retrying every few seconds.</Notice>)
    expect(screen.queryByRole("alert")).toBeNull()
    expect(screen.getByRole("status").textContent).toContain("Retrying")
    expect(screen.queryByRole("button")).toBeNull()
  })
})

describe("Progress", () => {
  it("reports its percentage, and no value while it is unknown", () => {
    const { rerender } = renderPage(<Progress value={0.424} label="Transcribing" />)
    const bar = screen.getByRole("progressbar", { name: "Transcribing" })
    expect(bar.getAttribute("aria-valuenow")).toBe("42")
    rerender(<Progress value={null} label="Transcribing" />)
    expect(bar.hasAttribute("aria-valuenow")).toBe(false)
  })
})

describe("Segmented", () => {
  it("reports the option that is clicked", async () => {
    const onChange = vi.fn()
    const options = [
      { value: "transcript", label: "Transcript" },
      { value: "topics", label: "Topics" },
    ]
    const { user } = renderPage(<Segmented label="View" value="transcript" options={options} onChange={onChange} />)
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "Transcript" }).checked).toBe(true)
    await user.click(screen.getByText("Topics"))
    expect(onChange).toHaveBeenCalledWith("topics")
  })
})

describe("Toasts", () => {
  it("announces a confirmation, undoes the action once and shows errors", async () => {
    const undo = vi.fn()
    const { user } = renderPage(<Toasts />)
    notify("Deleted “Talk”", undo)
    expect((await screen.findAllByText("Deleted “Talk”")).length).toBeGreaterThan(0)
    await screen.findByRole("button", { name: "Dismiss" })
    await user.click(await screen.findByRole("button", { name: "Undo" }))
    expect(undo).toHaveBeenCalledOnce()
    notifyError("Couldn't copy")
    expect((await screen.findAllByText("Couldn't copy")).length).toBeGreaterThan(0)
  })
})
