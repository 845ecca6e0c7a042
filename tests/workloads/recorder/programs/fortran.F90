! SPDX-FileCopyrightText: The FabricTwin authors
! SPDX-License-Identifier: Apache-2.0
!
! What recorded_fortran_test.cpp records of Fortran, by the module mpi or, with FORTRAN_2008, mpi_f08. Of two ranks.
#ifdef FORTRAN_2008
#define HANDLE(of) type(of)
#else
#define HANDLE(of) integer
#endif
program fortran
#ifdef FORTRAN_2008
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  double precision :: in(8), out(8)
  integer :: rank, other, place, code
  logical :: flag
  HANDLE(MPI_Request) :: requests(2), again
  HANDLE(MPI_Comm) :: copy, grid
#ifdef FORTRAN_2008
  type(MPI_Status) :: statuses(2)
#else
  integer :: statuses(MPI_STATUS_SIZE, 2)
#endif

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  other = 1 - rank
  in = rank

  ! Messages.
  if (rank == 0) then
    call MPI_Send(in, 3, MPI_DOUBLE_PRECISION, 1, 7, MPI_COMM_WORLD, code)
    call MPI_Ssend(in, 2, MPI_INTEGER, 1, 8, MPI_COMM_WORLD, code)
  else
    call MPI_Recv(out, 4, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
    call MPI_Recv(out, 2, MPI_INTEGER, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
  end if
  call MPI_Send(in, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, code)
  call MPI_Sendrecv(in, 1, MPI_REAL, other, 9, out, 1, MPI_REAL, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)

  ! Requests.
  call MPI_Irecv(out, 4, MPI_DOUBLE_PRECISION, other, 10, MPI_COMM_WORLD, requests(1), code)
  call MPI_Isend(in, 4, MPI_DOUBLE_PRECISION, other, 10, MPI_COMM_WORLD, requests(2), code)
  call MPI_Waitall(2, requests, statuses, code)
  call MPI_Irecv(out, 1, MPI_LOGICAL, other, 11, MPI_COMM_WORLD, requests(1), code)
  call MPI_Isend(in, 1, MPI_LOGICAL, other, 11, MPI_COMM_WORLD, requests(2), code)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, code)
  call MPI_Waitany(2, requests, place, MPI_STATUS_IGNORE, code)
  call MPI_Recv_init(out, 1, MPI_CHARACTER, other, 12, MPI_COMM_WORLD, again, code)
  call MPI_Start(again, code)
  call MPI_Send(in, 1, MPI_CHARACTER, other, 12, MPI_COMM_WORLD, code)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(again, flag, MPI_STATUS_IGNORE, code)
  end do
  call MPI_Request_free(again, code)

  ! Collectives.
  call MPI_Barrier(MPI_COMM_WORLD, code)
  call MPI_Bcast(in, 5, MPI_INTEGER, 1, MPI_COMM_WORLD, code)
  call MPI_Allreduce(MPI_IN_PLACE, out, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, code)
  call MPI_Gather(in, 2, MPI_INTEGER, out, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
  call MPI_Alltoallv(in, [1, 1], [0, 1], MPI_REAL, out, [1, 1], [0, 1], MPI_REAL, MPI_COMM_WORLD, code)
  call MPI_Iallreduce(in, out, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, requests(1), code)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, code)

  ! Communicators.
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, code)
  call MPI_Cart_create(copy, 1, [2], [.true.], .false., grid, code)
  call MPI_Barrier(grid, code)
  call MPI_Comm_free(grid, code)
  call MPI_Comm_free(copy, code)
  call MPI_Finalize(code)
end program fortran
